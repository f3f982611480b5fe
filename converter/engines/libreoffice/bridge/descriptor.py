"""Named values, as calls of LibreOffice take them."""

import uno
from com.sun.star.beans import PropertyValue


def descriptor(members):
    """Of a document that is loaded or written; what is None is left out."""
    return tuple(PropertyValue(name, 0, value, 0) for name, value in members.items() if value is not None)


def descriptor_member(members):
    """The same as the value of a member."""
    return uno.Any("[]com.sun.star.beans.PropertyValue", descriptor(members))


def protection(filter, password):
    """The members of a descriptor that protect a result; none without a password."""
    if password is None or "2007" not in filter:
        return {"Password": password}
    members = (_named("CryptoType", "Standard"), _named("OOXPassword", password))
    return {"EncryptionData": uno.Any("[]com.sun.star.beans.NamedValue", members)}


def _named(name, value):
    member = uno.createUnoStruct("com.sun.star.beans.NamedValue")
    member.Name = name
    member.Value = value
    return member
