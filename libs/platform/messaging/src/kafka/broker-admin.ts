import type { Admin } from 'kafkajs';
import type { KafkaClient } from './kafka-client';

/** The broker's administration: connects when it is first asked, and again after a failure. */
export class BrokerAdmin {
  private connecting: Promise<Admin> | undefined;

  constructor(private readonly client: KafkaClient) {}

  /** Throws what kafkajs throws after a few tries. */
  async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const connecting = (this.connecting ??= this.connect());
    try {
      return await question(await connecting);
    } catch (error) {
      if (this.connecting === connecting) this.connecting = undefined;
      void connecting.then((admin) => admin.disconnect()).catch(() => undefined); // the error told is the question's
      throw error;
    }
  }

  async close(): Promise<void> {
    const { connecting } = this;
    this.connecting = undefined;
    await connecting?.then((admin) => admin.disconnect()).catch(() => undefined); // it ends with its sockets
  }

  private async connect(): Promise<Admin> {
    const admin = this.client.kafka.admin();
    await admin.connect();
    return admin;
  }
}
