import CBORKit
public import CryptoCore
import MdocFiles
public import MdocKit

/// A wallet's storage in one file, in which every value is encrypted under the app's key.
///
/// Each value is authenticated together with its place and version, and the whole file under a key derived from the app's, so
/// that no value can take the place of another, be replaced by an earlier one, or be taken away. A copy of the whole file,
/// put in its place, brings back an earlier state, which ``RollbackCheckedMdocStorage`` refuses. A file that is damaged anywhere is
/// refused by every call, until ``repair()`` keeps what is sound. Every call reads the file,
/// and a change replaces it as a whole, while a file `….lock` beside it is locked; a wallet of some megabytes is better
/// kept with `SQLiteMdocStorage`. The key belongs in the device's keychain and is never written here.
public struct FileMdocStorage: MdocStorage {
    let file: ProtectedFile
    let cipher: MdocValueCipher

    /// Names a file, which the first change creates for its owner alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk.
    ///   - key: The app's key: 32 bytes.
    /// - Throws: `MdocError` with code `storageFailed` for a key of another size, or no path of a file.
    public init(path: String, key: SecretBytes) throws(MdocError) {
        try self.init(path: path, key: key, onStep: nil)
    }

    /// Names a file whose changes call a function before each step, for tests that stop there.
    package init(path: String, key: SecretBytes, onStep: (@Sendable () -> Void)?) throws(MdocError) {
        cipher = try MdocValueCipher(key: key)
        let fileKey = try cipher.derivedKey(for: "mdoc wallet file 1")
        file = try ProtectedFile(path: path, format: "mdoc-wl1", key: fileKey, onStep: onStep)
    }

    /// Creates the file of an empty wallet.
    ///
    /// - Throws: `MdocError` with code `storageConflict` if there is a file already; `storageFailed`.
    public func create() throws(MdocError) {
        try file.update { (content) throws(MdocError) in
            guard content == nil else {
                throw MdocError(.storageConflict, "there is a wallet already", path: [file.name])
            }
            return Self.encoded(VersionedValues())
        }
    }

    /// Indicates that the file exists; an empty wallet without a file has no values.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    public func exists() throws(MdocError) -> Bool { try file.content() != nil }

    /// The value at a place, or nil.
    public func entry(at place: MdocStoragePlace) throws(MdocError) -> MdocStorageEntry? {
        guard let sealed = try values(in: try file.content())[place] else { return nil }
        return try cipher.open(sealed.value, at: place, version: sealed.version)
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: MdocStorageCollection) throws(MdocError) -> [MdocStorageEntry] {
        var entries: [MdocStorageEntry] = []
        for record in try records(in: collection) { entries.append(try record.entry()) }
        return entries
    }

    /// The values of a collection, in the order of their keys' bytes, with damaged ones among them.
    public func records(in collection: MdocStorageCollection) throws(MdocError) -> [MdocStorageRecord] {
        let values = try values(in: try file.content())
        return values.places(in: collection).compactMap { place in
            values[place].map { cipher.record($0.value, at: place, version: $0.version) }
        }
    }

    /// Makes changes in their order, all of them or none.
    public func write(_ changes: [MdocStorageChange]) throws(MdocError) {
        try file.update { (content) throws(MdocError) in
            var values = try values(in: content)
            try values.make(changes) { (value, place, version) throws(MdocError) in
                ArraySlice(try cipher.seal(value, at: place, version: version))
            }
            return Self.encoded(values)
        }
    }
}

// The content: CBOR, an array of `[collection, key, version, sealed value]`.
extension FileMdocStorage {
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

    private func values(in content: [UInt8]?) throws(MdocError) -> VersionedValues<ArraySlice<UInt8>> {
        var values = VersionedValues<ArraySlice<UInt8>>()
        guard let content else { return values }
        do throws(CBORError) {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: .max, depth: 4, items: 1 << 22)
            for item in try CBORDocument(content, options: options).root.array() {
                let parts = try item.array(count: 4)
                let collection = MdocStorageCollection(try parts.element(at: 0).integer(), "")
                values.restore(
                    MdocStoragePlace(collection, key: Array(try parts.element(at: 1).bytes())),
                    try parts.element(at: 3).bytes(),
                    version: try parts.element(at: 2).integer()
                )
            }
        } catch {
            throw MdocError(.storageDamaged, "the file is no wallet", path: [file.name], cause: error)
        }
        return values
    }
}
