import CryptoCore

/// A copy as a storage keeps it: `version (1), size of the handle (4, big endian), handle, credential`.
struct CopyValue {
    let keyHandle: SecretBytes
    /// The credential as the issuer signed it.
    let encoded: [UInt8]

    static let maximumHandleSize = 1 << 16
    private static let version: UInt8 = 1
    private static let headSize = 5

    /// Takes the parts of a copy.
    ///
    /// - Throws: `CredentialStoreError` with code `limitExceeded` for a longer handle.
    init(_ copy: CopyParts) throws(CredentialStoreError) {
        guard copy.keyHandle.count <= Self.maximumHandleSize else {
            throw CredentialStoreError(.limitExceeded, "a handle of a key has \(copy.keyHandle.count) bytes")
        }
        keyHandle = copy.keyHandle
        encoded = copy.encoded
    }

    /// Reads a value of a storage.
    ///
    /// - Throws: `CredentialStoreError` with code `storageDamaged`, or `unsupportedVersion` for a value of a later form.
    init(stored value: SecretBytes) throws(CredentialStoreError) {
        let version = unsafe value.withUnsafeBytes { unsafe $0.count < Self.headSize ? nil : $0.first }
        if let version, version > Self.version {
            throw CredentialStoreError(.unsupportedVersion, "version \(version) of a stored copy is unknown")
        }
        let parts = unsafe value.withUnsafeBytes { bytes -> (SecretBytes, [UInt8])? in
            guard bytes.count >= Self.headSize, unsafe bytes[0] == Self.version else { return nil }
            let size = unsafe bytes[1..<Self.headSize].reduce(0) { $0 << 8 | Int($1) }
            guard size <= Self.maximumHandleSize, bytes.count >= Self.headSize + size else { return nil }
            let handle = unsafe UnsafeRawBufferPointer(rebasing: bytes[Self.headSize..<Self.headSize + size])
            return unsafe (SecretBytes(handle), [UInt8](bytes[(Self.headSize + size)...]))
        }
        guard let parts else {
            throw CredentialStoreError(.storageDamaged, "not a stored copy of a credential")
        }
        (keyHandle, encoded) = parts
    }

    /// The value for a storage.
    func value() -> SecretBytes {
        let size = UInt32(clamping: keyHandle.count)
        let head = [Self.version] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        return unsafe SecretBytes(count: head.count + keyHandle.count + encoded.count) { buffer in
            unsafe buffer.copyBytes(from: head)
            unsafe keyHandle.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(head.count + keyHandle.count)...])
                .copyBytes(from: encoded)
        }
    }
}
