public import CryptoCore
public import MdocKit
import ProtectedFiles

/// The store of trusted issuers in a file.
///
/// A change replaces the file as a whole, while a file `….lock` beside it is locked, so that several processes may use the
/// same file: whatever interrupts a change, the old or the new list is there. Each reading checks the content. Without a
/// key the check is a digest, which shows damage; with a key it is an HMAC, which also shows that others than the holders
/// of the key wrote the file. A copy of an earlier file, put in its place, brings back an earlier list, which a list of the store that
/// has read a later state refuses.
public struct FileTrustedIssuerStore: TrustedIssuerStore {
    private let file: ProtectedFile<MdocError>

    /// The size of a key in bytes.
    public static let keySize = 32

    /// Names a file, which the first change creates for its owner alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk.
    ///   - key: A key of 32 bytes for the check; nil for a digest.
    /// - Throws: `MdocError` with code `storageFailed` for a key of another size, or no path of a file.
    public init(path: String, key: SecretBytes? = nil) throws(MdocError) {
        guard key.map({ $0.count == Self.keySize }) ?? true else {
            throw MdocError(.storageFailed, "the key has \(key?.count ?? 0) bytes, \(Self.keySize) are needed")
        }
        file = try ProtectedFile(path: path, format: key == nil ? "mdoc-ti1" : "mdoc-tk1", key: key) { MdocError($0) }
    }

    /// The content; nil if there is no file.
    ///
    /// - Throws: `MdocError` with code `storageFailed`, or `storageDamaged` for a content that was not written here.
    public func content() throws(MdocError) -> [UInt8]? { try file.content() }

    /// Replaces the content by a change of it.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`, or what the change throws.
    public func update(_ change: ([UInt8]?) throws(MdocError) -> [UInt8]) throws(MdocError) {
        try file.update { (content) throws(MdocError) in try change(content) }
    }
}

extension MdocError {
    /// The error of a store for a fault of its file.
    fileprivate init(_ fault: FileFault) {
        let code: Code =
            switch fault.kind {
            case .failed: .storageFailed
            case .damaged: .storageDamaged
            }
        self.init(code, fault.message, path: fault.file.map { [$0] } ?? [])
    }
}
