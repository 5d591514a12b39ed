public import CBORKit
public import COSEKit

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

/// The device's proof of possession of the credential's key (ISO/IEC 18013-5, 12.4).
public enum DeviceAuth: Sendable {
    /// A signature over DeviceAuthenticationBytes.
    case deviceSignature(COSESign1)
    /// A MAC over DeviceAuthenticationBytes, with a key agreed between the device key and the reader's key.
    case deviceMac(COSEMac0)
}

extension DeviceAuth: MdocReadable {
    private static let names = CBORMemberNames(optional: "deviceSignature", "deviceMac")

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = try cbor(view.members(Self.names))
        switch (members[0], members[1]) {
        case (let signature?, nil): self = .deviceSignature(try reading.sign1(signature))
        case (nil, let mac?): self = .deviceMac(try reading.mac0(mac))
        case (nil, nil): throw MdocError(.missingMember, "deviceAuth needs deviceSignature or deviceMac", at: view)
        case (_?, _?): throw MdocError(.invalidValue, "deviceAuth has a signature and a MAC", at: view)
        }
    }
}
