/// The name of a copy: `CREDENTIAL/NUMBER`.
struct CopyReference: Hashable {
    let credential: WalletCredential.ID
    let number: UInt32

    init(credential: WalletCredential.ID, number: UInt32) {
        self.credential = credential
        self.number = number
    }

    /// Reads a name.
    ///
    /// - Throws: `CredentialStoreError` with code `unknownCredential` for a name that no store gives.
    init(_ text: String) throws(CredentialStoreError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt32(parts[1]) else {
            throw CredentialStoreError(.unknownCredential, "the store has no credential \(text)")
        }
        self.init(credential: String(parts[0]), number: number)
    }

    /// The name of the copy at a place; nil for a place that no store gives.
    init?(_ place: StoragePlace) {
        guard place.key.count == StoragePlace.identifierSize + 4 else { return nil }
        let identifier = Array(place.key.prefix(StoragePlace.identifierSize))
        credential = StoragePlace(place.collection, key: identifier).credentialID
        number = place.key.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    var text: String { "\(credential)/\(number)" }
}

extension StoragePlace {
    /// The number of bytes of an identifier.
    static let identifierSize = 16

    /// The place of a credential; nil for a text that is no identifier.
    init?(credential id: WalletCredential.ID, in collection: StorageCollection) {
        guard let key = [UInt8](identifier: id) else { return nil }
        self.init(collection, key: key)
    }

    /// The place of a copy; nil for a text that is no identifier.
    init?(copy number: UInt32, of id: WalletCredential.ID, in collection: StorageCollection) {
        guard let key = [UInt8](identifier: id) else { return nil }
        self.init(collection, key: key + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
    }

    /// The identifier of the credential whose place this is.
    var credentialID: WalletCredential.ID {
        key.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

extension [UInt8] {
    /// The bytes of an identifier; nil for another text.
    fileprivate init?(identifier text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count == 2 * StoragePlace.identifierSize else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
