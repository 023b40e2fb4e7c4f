"""Writes the encrypted states of the tests, in the format of OpenTofu, with the package `cryptography`:

    pip install cryptography && python3 make.py
"""

import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

STATE = {
    "version": 4,
    "terraform_version": "1.10.0",
    "serial": 3,
    "lineage": "5f6f5b1e-0000-0000-0000-000000000001",
    "outputs": {},
    "resources": [
        {
            "mode": "managed",
            "type": "terraform_data",
            "name": "a",
            "provider": 'provider["terraform.io/builtin/terraform"]',
            "instances": [{"schema_version": 0, "attributes": {"id": "id-of-a", "input": None}}],
        }
    ],
}
PASSPHRASE = b"correct horse battery staple"
NONCE = bytes(range(12))
SALT = bytes(range(32))


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def write(name: str, provider: str, meta: dict, key: bytes, aad: bytes | None = None) -> None:
    sealed = NONCE + AESGCM(key).encrypt(NONCE, json.dumps(STATE).encode(), aad)
    document = {
        "serial": STATE["serial"],
        "lineage": STATE["lineage"],
        "meta": {provider: text(json.dumps(meta).encode())},
        "encrypted_data": text(sealed),
        "encryption_version": "v0",
    }
    path = pathlib.Path(__file__).parent / name
    path.write_text(json.dumps(document) + "\n")


def derived(hash_name: str, length: int, iterations: int) -> tuple[dict, bytes]:
    meta = {"salt": text(SALT), "iterations": iterations, "hash_function": hash_name, "key_length": length}
    return meta, hashlib.pbkdf2_hmac(hash_name, PASSPHRASE, SALT, iterations, length)


write("sha512.json", "key_provider.pbkdf2.main", *derived("sha512", 32, 1000))
write("sha256.json", "shared", *derived("sha256", 16, 500), aad=b"\x01\x02\xff")
write("static.json", "key_provider.static.main", {"magic": "Hello world!"}, bytes(range(32)))
write("static-192.json", "key_provider.static.main", {"magic": "Hello world!"}, bytes(range(24)))
