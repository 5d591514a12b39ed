import CryptoCore
public import MdocKit

extension DeviceEngagement {
    /// The value of the Ident characteristic: HKDF-SHA-256 of EDeviceKeyBytes for "BLEIdent", 16 bytes
    /// (ISO/IEC 18013-5, 11.1.3.1).
    public func bleIdent() throws(MdocError) -> [UInt8] {
        try derive("BLEIdent", length: 16)
    }

    /// Compares the Ident that a reader gives, in a time that does not depend on where it differs.
    ///
    /// - Throws: `MdocError` with code `keyMismatch` if it is of another engagement: the wallet then ends the
    ///   connection.
    public func checkBLEIdent(_ ident: [UInt8]) throws(MdocError) {
        guard constantTimeEqual(ident, try bleIdent()) else {
            throw MdocError(.keyMismatch, "the reader's Ident is not that of this engagement")
        }
    }

    /// HKDF-SHA-256 of EDeviceKeyBytes without salt.
    func derive(_ info: StaticString, length: Int) throws(MdocError) -> [UInt8] {
        do {
            let key = try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: eDeviceKeyBytes,
                info: Array("\(info)".utf8),
                length: length
            )
            return unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
        } catch {
            throw MdocError(.invalidValue, "nothing can be derived from the engagement's key", cause: error)
        }
    }
}
