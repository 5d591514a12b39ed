public import CBORKit

/// Keys in CBOR: COSE_KeySet (RFC 9052 section 7).
public struct COSEKeySet: Sendable {
    /// The keys that are understood.
    public let keys: [COSEKey]
    /// The elements that were skipped, as the RFC demands: malformed, or of a type or curve that is not implemented.
    public let ignored: [Ignored]

    /// An element that was skipped.
    public struct Ignored: Sendable {
        /// Its place in the set, counted from 0.
        public let index: Int
        /// The reason that the key was skipped.
        public let reason: COSEError
    }

    /// A set of keys.
    public init(_ keys: [COSEKey]) {
        self.keys = keys
        ignored = []
    }

    /// Reads a set.
    ///
    /// - Throws: ``COSEError/Code/malformed`` for bytes that are not one CBOR array,
    ///   ``COSEError/Code/wrongElementCount`` for an empty one, ``COSEError/Code/limitExceeded``.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        // Every element is processed on its own: one with a label twice must not take the others with it.
        var reading = options.cbor
        reading.duplicateKeys = .allow
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: reading)
        } catch {
            throw COSEError(error, path: ["COSE_KeySet"])
        }
        try self.init(cbor: document.root, options: options)
    }

    /// Reads a set from an item of a larger document.
    public init(cbor view: CBORView, options: COSEReadingOptions = .default) throws(COSEError) {
        let array = try reading("COSE_KeySet") { () throws(CBORError) in try view.array() }
        guard array.count > 0 else {
            throw COSEError(.wrongElementCount, "a key set has at least one key", path: ["COSE_KeySet"])
        }
        guard array.count <= options.keys else {
            throw COSEError(.limitExceeded, "\(array.count) keys, over \(options.keys)", path: ["COSE_KeySet"])
        }
        var keys: [COSEKey] = []
        var ignored: [Ignored] = []
        for (index, element) in array.enumerated() {
            do throws(COSEError) {
                keys.append(try COSEKey(understanding: element))
            } catch {
                ignored.append(Ignored(index: index, reason: error.inside("COSE_KeySet[\(index)]")))
            }
        }
        self.keys = keys
        self.ignored = ignored
    }

    /// The keys with an identifier, in the order of the set; identifiers need not be unique.
    public func keys(withID keyID: some Sequence<UInt8>) -> [COSEKey] {
        let wanted = Array(keyID)
        return keys.filter { $0.keyID?.elementsEqual(wanted) ?? false }
    }

    /// The set in CBOR, every key as it was received or made.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: keys.count)
        for key in keys { key.encode(to: &writer) }
        return writer.finish()
    }
}

extension COSEKey {
    /// Reads a key that must be usable: of a known type and curve, and with numbers that are a key.
    fileprivate init(understanding view: CBORView) throws(COSEError) {
        try self.init(cbor: view)
        if case .symmetric = material { return }
        _ = try publicKey()
    }
}
