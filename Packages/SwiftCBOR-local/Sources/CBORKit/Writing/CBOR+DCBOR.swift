extension CBOR {
    /// The value as dCBOR (draft-mcnally-deterministic-cbor): core deterministic encoding, in which integral
    /// floating-point numbers from −2^63 to 2^64 − 1 become integers.
    ///
    /// - Throws: ``CBORError/Code/notEncodable`` for values that dCBOR lacks: simple values other than false, true and
    ///   null, integers below −2^63, text that is not in Unicode normalization form C. ``CBORError/Code/duplicateKey``
    ///   for keys that are equal, also after reduction.
    public func dCBOREncoded() throws(CBORError) -> [UInt8] {
        let bytes = reducedForDCBOR().encoded(.deterministic)
        // The reader knows all the rules, those on keys included, and says where one is broken.
        var options = CBORReadingOptions.dCBOR
        options.limits = .largest
        do {
            _ = try CBORDocument(bytes, options: options)
        } catch {
            guard error.code == .notDeterministic else { throw error }
            throw CBORError(.notEncodable, error.message, path: error.path)
        }
        return bytes
    }

    private func reducedForDCBOR() -> CBOR {
        switch self {
        case .float(let number): DCBOR.integer(for: number.value).map { .integer($0) } ?? self
        case .array(let elements): .array(elements.map { $0.reducedForDCBOR() })
        case .map(let map):
            .map(CBORMap(map.map { .init(key: $0.key.reducedForDCBOR(), value: $0.value.reducedForDCBOR()) }))
        case .tagged(let number, let content): .tagged(number, content.reducedForDCBOR())
        case .formed(_, let value): value.reducedForDCBOR()
        case .unsigned, .negative, .bytes, .text, .simple: self
        }
    }
}
