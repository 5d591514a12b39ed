import CBORKit
public import CryptoCore
import ProtectedFiles

/// A wallet's storage in one file, in which every value is encrypted under the app's key.
///
/// Each value is authenticated together with its place and version, and the whole file under a key derived from the app's, so
/// that no value can take the place of another, be replaced by an earlier one, or be taken away. A copy of the whole file,
/// put in its place, brings back an earlier state, which ``RollbackCheckedCredentialStorage`` refuses. A file that is damaged anywhere is
/// refused by every call, until ``repair()`` keeps what is sound. Every call reads the file,
/// and a change replaces it as a whole, while a file `….lock` beside it is locked; a wallet of some megabytes is better
/// kept with `SQLiteCredentialStorage`. The key belongs in the device's keychain and is never written here.
public struct FileCredentialStorage: CredentialStorage {
    let file: ProtectedFile<CredentialStoreError>
    let cipher: StorageValueCipher

    /// Names a file, which the first change creates for its owner alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk.
    ///   - key: The app's key: 32 bytes.
    /// - Throws: `CredentialStoreError` with code `storageFailed` for a key of another size, or no path of a file.
    public init(path: String, key: SecretBytes) throws(CredentialStoreError) {
        try self.init(path: path, key: key, onStep: nil)
    }

    /// Names a file whose changes call a function before each step, for tests that stop there.
    package init(path: String, key: SecretBytes, onStep: (@Sendable () -> Void)?) throws(CredentialStoreError) {
        cipher = try StorageValueCipher(key: key)
        let fileKey = try cipher.derivedKey(for: "credential storage file 1")
        file = try ProtectedFile(path: path, format: "cred-st1", key: fileKey, onStep: onStep) {
            CredentialStoreError($0)
        }
    }

    /// Creates the file of an empty wallet.
    ///
    /// - Throws: `CredentialStoreError` with code `storageConflict` if there is a file already; `storageFailed`.
    public func create() throws(CredentialStoreError) {
        try file.update { (content) throws(CredentialStoreError) in
            guard content == nil else {
                throw CredentialStoreError(.storageConflict, "there is a wallet already", path: [file.name])
            }
            return Self.encoded(VersionedValues())
        }
    }

    /// Indicates that the file exists; an empty wallet without a file has no values.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed` or `storageDamaged`.
    public func exists() throws(CredentialStoreError) -> Bool { try file.content() != nil }

    /// The value at a place, or nil.
    public func entry(at place: StoragePlace) throws(CredentialStoreError) -> StorageEntry? {
        guard let sealed = try values(in: try file.content())[place] else { return nil }
        return try cipher.open(sealed.value, at: place, version: sealed.version)
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: StorageCollection) throws(CredentialStoreError) -> [StorageEntry] {
        var entries: [StorageEntry] = []
        for record in try records(in: collection) { entries.append(try record.entry()) }
        return entries
    }

    /// The values of a collection, in the order of their keys' bytes, with damaged ones among them.
    public func records(in collection: StorageCollection) throws(CredentialStoreError) -> [StorageRecord] {
        let values = try values(in: try file.content())
        return values.places(in: collection).compactMap { place in
            values[place].map { cipher.record($0.value, at: place, version: $0.version) }
        }
    }

    /// Makes changes in their order, all of them or none.
    public func write(_ changes: [StorageChange]) throws(CredentialStoreError) {
        try file.update { (content) throws(CredentialStoreError) in
            var values = try values(in: content)
            try values.make(changes) { (value, place, version) throws(CredentialStoreError) in
                ArraySlice(try cipher.seal(value, at: place, version: version))
            }
            return Self.encoded(values)
        }
    }
}

// The content: CBOR, an array of `[collection, key, version, sealed value]`.
extension FileCredentialStorage {
    static func encoded(_ values: VersionedValues<ArraySlice<UInt8>>) -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: values.count)
        for value in values.all {
            writer.beginArray(count: 4)
            writer.write(unsigned: UInt64(value.place.collection.number))
            writer.write(bytes: value.place.key)
            writer.write(unsigned: value.version)
            writer.write(bytes: value.value)
        }
        return writer.finish()
    }

    private func values(in content: [UInt8]?) throws(CredentialStoreError) -> VersionedValues<ArraySlice<UInt8>> {
        var values = VersionedValues<ArraySlice<UInt8>>()
        guard let content else { return values }
        do throws(CBORError) {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: .max, depth: 4, items: 1 << 22)
            for item in try CBORDocument(content, options: options).root.array() {
                let parts = try item.array(count: 4)
                let collection = StorageCollection(try parts.element(at: 0).integer(), "")
                values.restore(
                    StoragePlace(collection, key: Array(try parts.element(at: 1).bytes())),
                    try parts.element(at: 3).bytes(),
                    version: try parts.element(at: 2).integer()
                )
            }
        } catch {
            throw CredentialStoreError(.storageDamaged, "the file is no wallet", path: [file.name], cause: error)
        }
        return values
    }
}

extension CredentialStoreError {
    /// The error of a storage for a fault of its file.
    fileprivate init(_ fault: FileFault) {
        let code: Code =
            switch fault.kind {
            case .failed: .storageFailed
            case .damaged: .storageDamaged
            }
        self.init(code, fault.message, path: fault.file.map { [$0] } ?? [])
    }
}
