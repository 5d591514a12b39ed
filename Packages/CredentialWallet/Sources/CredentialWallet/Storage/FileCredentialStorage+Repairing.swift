import ProtectedFiles

extension FileCredentialStorage {
    /// Repairs a damaged file: keeps the values that are what was written at their places, and drops the others.
    ///
    /// Call it after `storageDamaged`, where no sound copy of the file is at hand. Each kept value was written with this key at its
    /// place, but nothing shows any more that it is the last one, or that no value is missing: a repaired file can bring back a spent copy.
    /// ``CredentialStore/contents()`` then names the copies that a credential lacks. A ``RollbackCheckedCredentialStorage`` refuses
    /// the file if its count of changes is among the lost values. A sound file stays as it is.
    ///
    /// ```swift
    /// func repairIfDamaged(_ storage: FileCredentialStorage) throws {
    ///     do {
    ///         _ = try storage.exists()
    ///     } catch where error.code == .storageDamaged {
    ///         print("lost:", try storage.repair().count)
    ///     }
    /// }
    /// ```
    ///
    /// - Returns: The places of the dropped values, where these can be told.
    /// - Throws: `CredentialStoreError` with code `storageDamaged`, and the file stays, if nothing in it opens, as with another key;
    ///   `storageFailed`.
    @discardableResult
    public func repair() throws(CredentialStoreError) -> [StoragePlace] {
        var lost: [StoragePlace] = []
        try file.repair { (content, isIntact) throws(CredentialStoreError) in
            var scan = FileScan(content, cipher)
            guard scan.run() else {
                throw CredentialStoreError(
                    .storageDamaged,
                    "nothing in the file is what was written",
                    path: [file.name]
                )
            }
            lost = scan.lostPlaces
            return isIntact && lost.isEmpty ? nil : Self.encoded(scan.found)
        }
        return lost
    }
}

/// Looks for the values of a wallet's file among bytes of which some are damaged.
///
/// A value is found wherever its bytes are, since its own authentication tells it from anything else.
private struct FileScan {
    /// The values that were written at their places.
    private(set) var found = VersionedValues<ArraySlice<UInt8>>()
    private var damaged: Set<StoragePlace> = []

    private let content: [UInt8]
    private let cipher: StorageValueCipher
    /// The number of bytes that may still be decrypted in vain, so that forged bytes take no time in the square of their length.
    private var budget: Int

    init(_ content: [UInt8], _ cipher: StorageValueCipher) {
        self.content = content
        self.cipher = cipher
        budget = 16 * content.count
    }

    /// The places of values that are there and do not open, in the order of their collections and keys.
    var lostPlaces: [StoragePlace] {
        damaged.filter { found[$0] == nil }.sorted { left, right in
            let (first, second) = (left.collection.number, right.collection.number)
            return first == second ? left.key.lexicographicallyPrecedes(right.key) : first < second
        }
    }

    /// Looks at every byte.
    ///
    /// - Returns: `true` if a value was found, or the wallet is empty; `false` for the content of something else, and where the
    ///   budget ends before the content.
    mutating func run() -> Bool {
        var position = Self.head(4, in: content[...])?.end ?? 0
        // The places where a value begins if those before it have their lengths.
        var starts: Set<Int> = [position]
        while position < content.count, budget > 0 {
            guard let value = FileValue(content[position...]) else {
                position += 1
                continue
            }
            if isOpened(value) {
                position = value.end
                starts.insert(value.end)
            } else {
                if starts.contains(position) {
                    damaged.insert(value.place)
                    starts.insert(value.end)
                }
                budget -= value.sealed.count
                position += 1
            }
        }
        return budget > 0 && found.count > 0 || content == [0x80]
    }

    private mutating func isOpened(_ value: FileValue) -> Bool {
        guard (try? cipher.open(value.sealed, at: value.place, version: value.version)) != nil else { return false }
        // Of two values of a place, the later one counts.
        if let known = found[value.place], known.version > value.version { return true }
        found.restore(value.place, value.sealed, version: value.version)
        return true
    }

    /// The argument of a data item's head, and the index behind it; nil for another major type.
    static func head(_ majorType: UInt8, in bytes: ArraySlice<UInt8>) -> (argument: UInt64, end: Int)? {
        guard let first = bytes.first, first >> 5 == majorType else { return nil }
        let next = bytes.startIndex + 1
        let information = first & 0x1f
        if information < 24 { return (UInt64(information), next) }
        guard information < 28 else { return nil }
        let size = 1 << Int(information - 24)
        guard bytes.count > size else { return nil }
        return (bytes[next..<next + size].reduce(0) { $0 << 8 | UInt64($1) }, next + size)
    }
}

/// A value at the start of some bytes: `[collection, key, version, sealed value]`.
private struct FileValue {
    let place: StoragePlace
    let version: UInt64
    let sealed: ArraySlice<UInt8>
    /// The index behind the value.
    var end: Int { sealed.endIndex }

    /// Reads a value; nil for other bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.first == 0x84 else { return nil }
        var rest = bytes.dropFirst()
        func number(_ majorType: UInt8) -> UInt64? {
            guard let (argument, end) = FileScan.head(majorType, in: rest) else { return nil }
            rest = rest[end...]
            return argument
        }
        func string(_ maximumSize: Int) -> ArraySlice<UInt8>? {
            guard let size = number(2), size <= UInt64(min(maximumSize, rest.count)) else { return nil }
            let string = rest.prefix(Int(size))
            rest = rest[string.endIndex...]
            return string
        }
        guard let collection = number(0).flatMap({ UInt8(exactly: $0) }),
            let key = string(StoragePlace.maximumKeySize), let version = number(0), let sealed = string(.max)
        else { return nil }
        place = StoragePlace(StorageCollection(collection, ""), key: Array(key))
        self.version = version
        self.sealed = sealed
    }
}
