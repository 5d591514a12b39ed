public import CBORKit

/// What the device authenticated: its own elements, bound to the session (ISO/IEC 18013-5, 10.3.2).
public struct DeviceSigned: Sendable {
    /// The elements that the device vouches for; usually none.
    public let nameSpaces: DataElements<CBORView>
    /// DeviceNameSpacesBytes: the tag-24 item exactly as received, which the authentication covers.
    public let nameSpacesBytes: ArraySlice<UInt8>
    /// The signature or MAC by the device key.
    public let deviceAuth: DeviceAuth
}

extension DeviceSigned: MdocReadable {
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let nameSpacesView = try cbor(map.required("nameSpaces"))
        let content = try reading.embedded(nameSpacesView)
        nameSpaces = try reading.elements(content, mayBeEmpty: true) { $0 }
        nameSpacesBytes = nameSpacesView.encodedBytes
        deviceAuth = try DeviceAuth(try cbor(map.required("deviceAuth")), &reading)
    }
}
