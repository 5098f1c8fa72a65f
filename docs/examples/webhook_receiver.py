# Receives webhooks and prints each once: WEBHOOK_TOKEN=whsec_… python3 docs/examples/webhook_receiver.py 4000
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

port = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
key = base64.b64decode(os.environ["WEBHOOK_TOKEN"].removeprefix("whsec_"))
tolerance_s = 300
seen = set()  # A real receiver keeps ids in its database, for three days at least.


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > tolerance_s:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        delivery = json.loads(body)
        if delivery["id"] not in seen:
            print(delivery["type"], delivery["event"]["entity_id"], flush=True)
        seen.add(delivery["id"])
        self.send_response(204)  # Answer at once, work afterwards.
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", port), Receiver)
print("ready", server.server_port, flush=True)
server.serve_forever()
