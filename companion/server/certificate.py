"""A self-signed certificate, because browsers allow phone cameras over HTTPS only."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_LIFETIME = dt.timedelta(days=820)  # browsers reject much longer ones even if the user trusts them
_RENEW_BEFORE = dt.timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Paths of the certificate and its private key (PEM), and the SHA-256 fingerprint to compare with the browser's."""

    chain: Path
    key: Path
    fingerprint: str


def load_or_create_certificate(folder: Path, addresses: Iterable[str]) -> Certificate:
    """The certificate in the folder; a new one if there is none, it expires soon, or the network has changed."""
    chain, key = folder / "certificate.pem", folder / "certificate-key.pem"
    wanted = {"127.0.0.1", *addresses}
    if chain.exists() and key.exists():
        try:
            kept = x509.load_pem_x509_certificate(chain.read_bytes())
            if kept.not_valid_after_utc - dt.datetime.now(dt.UTC) > _RENEW_BEFORE and wanted <= _addresses_in(kept):
                return Certificate(chain, key, _fingerprint(kept))
        except ValueError:
            pass  # damaged file: make a new one below
    made, private = _make(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    _write_private(key, private)
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return Certificate(chain, key, _fingerprint(made))


def _make(addresses: Iterable[str]) -> tuple[x509.Certificate, bytes]:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Courtside on this computer")])
    host = socket.gethostname()
    names: list[x509.GeneralName] = [
        x509.DNSName("localhost"),
        x509.DNSName(host),
        x509.DNSName(f"{host}.local"),
    ]
    names += [x509.IPAddress(ipaddress.ip_address(address)) for address in sorted(addresses)]
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))  # a phone's clock may be slow
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate, pem


def _addresses_in(certificate: x509.Certificate) -> set[str]:
    extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return {str(address) for address in extension.value.get_values_for_type(x509.IPAddress)}


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _write_private(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(content)
