public import CBORKit
public import COSEKit

/// The key that a credential is bound to, and what it may sign (ISO/IEC 18013-5, 12.3.5).
public struct DeviceKeyInfo: Sendable {
    /// The device's public key, as received.
    public let deviceKey: COSEKey
    /// The data elements that the device key may sign; nil means none.
    public let keyAuthorizations: KeyAuthorizations?
    /// More about the key, by integer labels.
    public let keyInfo: CBORView?
}

extension DeviceKeyInfo: MdocReadable {
    private static let names = CBORMemberNames("deviceKey", optional: "keyAuthorizations", "keyInfo")

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = try cbor(view.members(Self.names))
        deviceKey = try reading.key(members.required(0))
        keyAuthorizations = try members[1].map { (view) throws(MdocError) in try KeyAuthorizations(view, &reading) }
        keyInfo = members[2]
        if let keyInfo { _ = try cbor(keyInfo.map()) }
    }
}
