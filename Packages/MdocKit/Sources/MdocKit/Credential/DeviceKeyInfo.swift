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
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        deviceKey = try reading.key(try cbor(map.required("deviceKey")))
        keyAuthorizations = try map.value(forKey: "keyAuthorizations").map { (view) throws(MdocError) in
            try KeyAuthorizations(view, &reading)
        }
        keyInfo = map.value(forKey: "keyInfo")
        if let keyInfo { _ = try cbor(keyInfo.map()) }
    }
}
