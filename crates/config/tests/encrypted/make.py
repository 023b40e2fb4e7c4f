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
    "outputs": {"zone": {"value": "eu-west-1a", "type": "string"}},
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


def write(
    name: str, provider: str, meta: dict, key: bytes, aad: bytes | None = None, behind: dict | None = None
) -> None:
    sealed = NONCE + AESGCM(key).encrypt(NONCE, json.dumps(STATE).encode(), aad)
    document = {
        "serial": STATE["serial"],
        "lineage": STATE["lineage"],
        "meta": {name: text(json.dumps(of).encode()) for name, of in {provider: meta, **(behind or {})}.items()},
        "encrypted_data": text(sealed),
        "encryption_version": "v0",
    }
    path = pathlib.Path(__file__).parent / name
    path.write_text(json.dumps(document) + "\n")


def derived(hash_name: str, length: int, iterations: int, passphrase: bytes = PASSPHRASE) -> tuple[dict, bytes]:
    meta = {"salt": text(SALT), "iterations": iterations, "hash_function": hash_name, "key_length": length}
    return meta, hashlib.pbkdf2_hmac(hash_name, passphrase, SALT, iterations, length)


write("sha512.json", "key_provider.pbkdf2.main", *derived("sha512", 32, 1000))
write("sha256.json", "shared", *derived("sha256", 16, 500), aad=b"\x01\x02\xff")
write("static.json", "key_provider.static.main", {"magic": "Hello world!"}, bytes(range(32)))
write("static-192.json", "key_provider.static.main", {"magic": "Hello world!"}, bytes(range(24)))
middle, passphrase = derived("sha256", 24, 300, bytes(range(32)))
write(
    "chained.json",
    "key_provider.pbkdf2.outer",
    *derived("sha512", 32, 200, passphrase),
    behind={"key_provider.pbkdf2.middle": middle, "key_provider.static.main": {"magic": "Hello world!"}},
)
