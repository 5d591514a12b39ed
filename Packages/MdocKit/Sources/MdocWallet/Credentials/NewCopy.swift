public import CryptoCore
public import MdocKit

/// A copy of a credential to add to a wallet's store: verified, and bound to a device key of the wallet's.
public struct NewCopy: Sendable {
    let issuerSigned: IssuerSigned
    let deviceKeyUsage: DeviceKeyUsage
    /// The wallet's handle of the private key.
    public let keyHandle: SecretBytes

    /// Describes a copy.
    ///
    /// - Parameters:
    ///   - credential: The credential as `MdocVerifier.verifyForStorage` verified it.
    ///   - deviceKey: The public key that the wallet asked the issuer to bind the copy to.
    ///   - deviceKeyUsage: The use of the device key; one key never serves both (ISO/IEC 18013-5, 12.4).
    ///   - keyHandle: The wallet's handle of the private key, such as the name of a key in hardware, up to 64 KiB; a private
    ///     key itself only where there is no better place.
    /// - Throws: `MdocError` with code `keyMismatch` for a credential that is bound to another key, or
    ///   `limitExceeded` for a longer handle.
    public init(
        _ credential: VerifiedIssuerSigned,
        deviceKey: PublicKey,
        deviceKeyUsage: DeviceKeyUsage = .signature,
        keyHandle: SecretBytes
    ) throws(MdocError) {
        guard credential.deviceKey == deviceKey else {
            throw MdocError(.keyMismatch, "the credential is bound to another key than the wallet's")
        }
        guard keyHandle.count <= StoredCopy.maximumHandleSize else {
            throw MdocError(.limitExceeded, "a handle of a key has \(keyHandle.count) bytes")
        }
        issuerSigned = credential.issuerSigned
        self.deviceKeyUsage = deviceKeyUsage
        self.keyHandle = keyHandle
    }
}

/// A copy as it is stored: `version (1), size of the handle (4, big endian), handle, IssuerSigned`.
struct StoredCopy {
    let keyHandle: SecretBytes
    let issuerSigned: [UInt8]

    static let maximumHandleSize = 1 << 16
    private static let version: UInt8 = 1
    private static let headSize = 5

    init(_ copy: NewCopy) {
        keyHandle = copy.keyHandle
        issuerSigned = Array(copy.issuerSigned.encodedBytes)
    }

    /// Reads a value of a storage.
    ///
    /// - Throws: `MdocError` with code `storageDamaged`, or `unsupportedVersion` for a value of a later form.
    init(stored value: SecretBytes) throws(MdocError) {
        let version = unsafe value.withUnsafeBytes { unsafe $0.count < Self.headSize ? nil : $0.first }
        if let version, version > Self.version {
            throw MdocError(.unsupportedVersion, "version \(version) of a stored copy is unknown")
        }
        let parts = unsafe value.withUnsafeBytes { bytes -> (SecretBytes, [UInt8])? in
            guard bytes.count >= Self.headSize, unsafe bytes[0] == Self.version else { return nil }
            let size = unsafe bytes[1..<Self.headSize].reduce(0) { $0 << 8 | Int($1) }
            guard size <= Self.maximumHandleSize, bytes.count >= Self.headSize + size else { return nil }
            let handle = unsafe UnsafeRawBufferPointer(rebasing: bytes[Self.headSize..<Self.headSize + size])
            return unsafe (SecretBytes(handle), [UInt8](bytes[(Self.headSize + size)...]))
        }
        guard let parts else { throw MdocError(.storageDamaged, "not a stored copy of a credential") }
        (keyHandle, issuerSigned) = parts
    }

    /// The value for a storage.
    func encoded() -> SecretBytes {
        let size = UInt32(clamping: keyHandle.count)
        let head = [Self.version] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        return unsafe SecretBytes(count: head.count + keyHandle.count + issuerSigned.count) { buffer in
            unsafe buffer.copyBytes(from: head)
            unsafe keyHandle.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(head.count + keyHandle.count)...])
                .copyBytes(from: issuerSigned)
        }
    }
}
