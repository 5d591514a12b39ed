public import CBORKit

/// The device-authenticated part: the device's own elements, bound to the session (ISO/IEC 18013-5, 10.3.2).
public struct DeviceSigned: Sendable {
    /// The elements that the device vouches for; usually none.
    public let nameSpaces: DataElements<CBORView>
    /// DeviceNameSpacesBytes: the tag-24 item exactly as received, which the authentication covers.
    public let nameSpacesBytes: ArraySlice<UInt8>
    /// The signature or MAC by the device key.
    public let deviceAuth: DeviceAuth
}

extension DeviceSigned: MdocReadable {
    private static let names = CBORMemberNames("nameSpaces", "deviceAuth")

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = try cbor(view.members(Self.names))
        let nameSpacesView = members.required(0)
        let content = try reading.embedded(nameSpacesView)
        nameSpaces = try reading.elements(content, mayBeEmpty: true) { $0 }
        nameSpacesBytes = nameSpacesView.encodedBytes
        deviceAuth = try DeviceAuth(members.required(1), &reading)
    }
}
