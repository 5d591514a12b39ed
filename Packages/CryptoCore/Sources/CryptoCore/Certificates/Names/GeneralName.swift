/// A name of one of the forms that certificates use (RFC 5280, 4.2.1.6).
public enum GeneralName: Hashable, Sendable {
    /// otherName: a type and the DER of its value.
    case otherName(type: OID, value: ArraySlice<UInt8>)
    /// rfc822Name: an e-mail address.
    case email(String)
    /// dNSName: a host name.
    case dns(String)
    /// x400Address, not taken apart: the contents octets.
    case x400Address(ArraySlice<UInt8>)
    /// directoryName.
    case directory(DistinguishedName)
    /// ediPartyName, not taken apart: the contents octets.
    case ediPartyName(ArraySlice<UInt8>)
    /// uniformResourceIdentifier.
    case uri(String)
    /// iPAddress: 4 or 16 bytes; in name constraints 8 or 32, address and mask.
    case ipAddress(ArraySlice<UInt8>)
    /// registeredID.
    case registeredID(OID)
}
