"""What in a text tells of a machine or a person: hosts, users, addresses, paths, serial numbers.

A text is searched once, from left to right; where two kinds could begin, the wider one is taken (an e-mail address
before the user in it). Versions of four numbers look like IPv4 addresses: they stay where a key or a word before them
says that they are versions.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

KINDS = ("host", "user", "ip", "mac", "path", "email", "serial")
"""Kinds of what is replaced; a label is the kind with a number."""
PLAIN_HOSTS = frozenset({"localhost", "localhost.localdomain", "unknown", "none", "null", "na", "n/a"})
"""Names that tell of no machine."""
PLAIN_USERS = frozenset({"root", "user", "admin", "nobody", "unknown", "none", "null", "na"})
"""Names that tell of no person."""

_KEYS = (
    ("mac", re.compile(r"(?i)(?:^|[._\s])mac(?:_?addr(?:ess)?)?$")),
    ("serial", re.compile(r"(?i)(?:^|[._\s])(?:serial(?:_?(?:no|number|num))?|host_?uid|(?:\w+_)?sn|uuid|v?die_?id)$")),
    (
        "host",
        re.compile(
            r"(?i)(?:host_?name|node_?name|machine_?name|computername|worker_name|master_addr|fqdn|(?:^|[._\s])host)$"
        ),
    ),
    ("user", re.compile(r"(?i)(?:^|[._\s])(?:user|user_?name|logname|login)$")),
)
"""What the last word of a key says its value is."""
_VERSION_KEY = re.compile(
    r"(?i)version|(?:^|[._])os$|\bcann\b|\bdriver\b|drv|firmware|toolkit|torch_npu|固件|驱动|版本"
)
_VERSION_WORD = re.compile(
    r"(?i)(?:version|ver\.?|cann|driver|firmware|toolkit|torch(?:_npu)?|mindspore|mindie|固件|驱动|版本)号?[\s:：=-]{0,3}$"
)
_VERSION_TAIL = re.compile(r"(?i)[.\-+_]?(?:rc|alpha|beta|post|dev|b|a|aarch|x|el|oe)\d+")
_DIRECTORY = re.compile(r"(?<![\w.\-])([A-Za-z0-9][\w.\-]{0,63}?)_\d{1,10}_\d{14,20}_ascend_(?:pt|ms)")
_HOMES = re.compile(r"(?:/home/|/Users/|\\+Users\\+|(?<![\w/])~(?=[A-Za-z_]))([^/\\\s\"'`,;:|<>()*?]{2,64})")
_WORD = re.compile(r"[^\s,;|\[\]\"'{}()]+")

_CHARACTER = r"[^\s\"'`,;:|<>()\[\]{}*?=，。；：、（）“”\\]"
_START = r"(?:(?<=file://)|(?<![A-Za-z0-9_.~\-)\]}/>]))"
_ANY_PATH = (
    rf"{_START}/(?:[A-Za-z0-9_.@+~%\-]+/{_CHARACTER}+"
    r"|(?:home|root|Users|data\d*|mnt|opt|usr|tmp|var|work|workspace)/?(?![\w.\-]))"
)
_HOME_PATH = (
    rf"{_START}/(?:home|Users|root)(?:/{_CHARACTER}*)?(?![\w.\-])"
    rf"|(?<=[\s\"])/(?:data\d*|mnt|opt|usr|tmp|var|work|workspace)/{_CHARACTER}+"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_SPACED_PATH = re.compile(r"/[^\n\"':;|=]+")
_AFTER_SPACE = re.compile(r" [^\s/\-][^\s/]*/")
_PATTERNS = (
    (
        r"(?P<url>\b[A-Za-z][A-Za-z0-9+.\-]{1,15}://)(?:(?P<credentials>[^\s/@:]+)(?::[^\s/@]*)?@)?"
        r"(?P<authority>[A-Za-z0-9][A-Za-z0-9.\-]*|\[[0-9A-Fa-f:.]+\])"
    ),
    r"(?P<email>(?<![\w.+\-])[\w.+\-]{1,64}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63})+)",
    r"(?P<login>(?<![\w.@])[A-Za-z_][\w\-]{0,31})@(?P<machine>[A-Za-z0-9][\w.\-]{0,62})(?=:[~/])",
    r"(?P<mac>(?<![\w:\-])(?:[0-9A-Fa-f]{2}[:\-]){5}[0-9A-Fa-f]{2}(?![\w:\-]))",
    r"(?P<path>%(path)s|(?<![A-Za-z0-9])[A-Za-z]:\\+[^\s\"'<>|:*?]+|(?<![\w\\])\\\\+[\w.\-]+\\+[^\s\"'<>|:*?]+)",
    r"(?P<v6>(?<![\w:])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{2,34}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![\w:]))",
    rf"(?P<v4>(?<![\d.])(?<!\bv)(?<!\bV)(?:{_OCTET}\.){{3}}{_OCTET}(?!\.?\d))",
    (
        r"(?P<domain>(?<![\w.\-])(?:[A-Za-z0-9\-]{1,63}\.){1,8}"
        r"(?:local|lan|internal|corp|intranet|localdomain|priv)(?![\w\-]))"
    ),
    (
        r"(?P<before_serial>(?i:serial(?:[ _]?(?:number|no\.?))?|\bs/n|\bsn|序列号)[ \t]{0,2}[:：=#][ \t]{0,2})"
        r"(?P<serial>(?=[A-Za-z\-]*\d)[A-Za-z0-9][A-Za-z0-9\-]{5,40})"
    ),
)
_NETWORKS = tuple(ipaddress.ip_network(text) for text in ("2000::/3", "fc00::/7", "fe80::/10", "ff00::/8"))
"""Where an IPv6 address that tells of a machine can lie; ``c10d::add`` lies in none."""
_PRIVATE = tuple(ipaddress.ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
"""Addresses that no version in use looks like."""

Namer = Callable[[str, str], str]
"""(kind, original) -> label."""


@dataclass(frozen=True, slots=True)
class Found:
    """Names that the structured places of a report give."""

    kind: str
    """``host``, ``user``, ``mac`` or ``serial``."""
    original: str
    """As it stands."""


def is_version_key(key: str) -> bool:
    """Whether the values of this key are versions."""
    return _VERSION_KEY.search(key) is not None


def names_of_key(key: str, value: str) -> Iterator[Found]:
    """What the value of a key is by the key's last word."""
    kind = next((kind for kind, pattern in _KEYS if pattern.search(key)), "")
    if not kind:
        return
    for word in _WORD.findall(value):
        name = re.sub(r"_\d+$", "", word) if key.endswith("worker_name") else word
        if len(name) >= 2 and not name.endswith(":") and not (kind in ("host", "user") and name.isdigit()):
            yield from _named(kind, name)


def names_in(text: str) -> Iterator[Found]:
    """Hosts that begin the name of a capture's directory, and users whose home directory is named."""
    for match in _DIRECTORY.finditer(text):
        yield from _named("host", match.group(1))
    for match in _HOMES.finditer(text):
        yield from _named("user", match.group(1))


def _named(kind: str, name: str) -> Iterator[Found]:
    if kind == "host" and _is_address(name):
        return
    plain = {"host": PLAIN_HOSTS, "user": PLAIN_USERS}.get(kind, frozenset())
    if name.lower() not in plain:
        yield Found(kind, name)
        short = name.split(".", maxsplit=1)[0]
        if kind == "host" and short != name and len(short) > 2:
            yield Found(kind, short)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Scrubber:
    """Replaces what a text tells of machines and people.

    Args:
        names: names to replace wherever they stand as words.
        known_hosts: hosts of public documents, which stay.
        name: gives the label of an original.
    """

    def __init__(self, names: Iterable[Found], known_hosts: Iterable[str], name: Namer) -> None:
        ordered = sorted(set(names), key=lambda found: (-len(found.original), found.original, found.kind))
        self._kinds = {found.original: found.kind for found in reversed(ordered)}
        self._known = frozenset(known_hosts)
        self._name = name
        literals = "|".join(re.escape(found.original) for found in ordered)
        word = [rf"(?P<name>(?<![A-Za-z0-9])(?:{literals})(?![A-Za-z0-9]))"] if literals else []
        self._patterns = {
            mode: re.compile("|".join([one.replace("%(path)s", path) for one in _PATTERNS] + word))
            for mode, path in (("any", _ANY_PATH), ("home", _HOME_PATH))
        }

    def scrub(self, text: str, *, versions: bool = False, pointers: bool = False) -> str:
        """The text with labels.

        Args:
            text: a text.
            versions: four numbers are a version here.
            pointers: a slash begins a pointer or the name of an operator here, and a path only in a home directory.
        """
        if not pointers and " " in text and _SPACED_PATH.fullmatch(text) and _AFTER_SPACE.search(text):
            return self._name("path", text)
        pattern = self._patterns["home" if pointers else "any"]
        return pattern.sub(lambda match: self._replacement(match, versions=versions), text)

    def _replacement(self, match: re.Match[str], *, versions: bool) -> str:
        groups = match.groupdict()
        whole = match.group()
        if groups["url"]:
            return self._url(match)
        if groups["login"]:
            return f"{self._name('user', groups['login'])}@{self._name('host', groups['machine'])}"
        if groups["serial"]:
            return groups["before_serial"] + self._name("serial", groups["serial"])
        if groups["v4"]:
            return whole if self._stays(match, versions=versions) else self._name("ip", whole)
        if groups["v6"]:
            return self._name("ip", whole) if _tells(whole) else whole
        if groups["domain"]:
            return whole if whole.lower() in PLAIN_HOSTS else self._name("host", whole)
        for kind in ("email", "mac", "path"):
            if groups[kind]:
                return self._name(kind, whole)
        return self._name(self._kinds[whole], whole)

    def _url(self, match: re.Match[str]) -> str:
        host, credentials = match["authority"], match["credentials"]
        user = f"{self._name('user', credentials)}@" if credentials else ""
        bare = host.strip("[]")
        if host.lower() in self._known or host.lower() in PLAIN_HOSTS:
            return match["url"] + user + host
        if _is_address(bare):
            return match["url"] + user + (self._name("ip", bare) if _tells(bare) else host)
        return match["url"] + user + self._name("host", host)

    def _stays(self, match: re.Match[str], *, versions: bool) -> bool:
        """Whether four numbers are a version, or an address that tells of no machine."""
        if versions or not _tells(match.group()):
            return True
        if any(ipaddress.ip_address(match.group()) in network for network in _PRIVATE):
            return False
        before = match.string[max(0, match.start() - 24) : match.start()]
        return bool(_VERSION_WORD.search(before) or _VERSION_TAIL.match(match.string, match.end()))


def _tells(text: str) -> bool:
    """Whether an address tells of a machine: not a loopback, an unspecified one, or no address at all."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified:
        return False
    return address.version == 4 or any(address in network for network in _NETWORKS)
