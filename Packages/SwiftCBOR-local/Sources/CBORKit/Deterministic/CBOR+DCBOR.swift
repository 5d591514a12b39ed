/// The rules of dCBOR that go beyond core deterministic encoding (draft-mcnally-deterministic-cbor).
enum DCBOR {
    /// The integer that replaces an integral floating-point number from −2^63 to 2^64 − 1, or nil (section 2.5).
    ///
    /// It uses 64-bit conversions: those of `Int128` would need libm, which nothing else of this module links.
    static func integer(for number: Double) -> Int128? {
        guard number >= -0x1p63, number < 0x1p64 else { return nil }
        let whole = UInt64(number.magnitude)
        guard Double(whole) == number.magnitude else { return nil }
        return number < 0 ? -Int128(whole) : Int128(whole)
    }

    /// Returns `true` if the integer −1 − n is allowed, down to −2^63 (appendix A).
    static func allowsNegative(_ argument: UInt64) -> Bool { argument >> 63 == 0 }

    /// Returns `true` if a simple value may occur.
    static func allows(_ value: CBORSimpleValue) -> Bool {
        value == .false || value == .true || value == .null
    }
}

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
