/// A type that can be written as one item.
public protocol CBOREncodable {
    /// Writes the value as exactly one item.
    func encode(to writer: inout CBORWriter)
}

extension CBOREncodable {
    /// The value as the bytes of one item.
    public func cborEncoded() -> [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.finish()
    }
}

extension CBOR {
    /// Writes the value in preferred serialization.
    public func encode(to writer: inout CBORWriter) {
        writer.write(self)
    }
}

extension CBORView: CBOREncodable {
    /// Writes the item as received.
    public func encode(to writer: inout CBORWriter) {
        writer.write(encoded: encodedBytes)
    }
}

/// The options for writing values (RFC 8949 section 4).
public struct CBOREncodingOptions: Hashable, Sendable {
    /// The order in which the keys of maps are written, or nil for that of the value.
    let keyOrder: CBORKeyOrder?
    /// Indicates that the forms and precisions that values carry are written.
    let keepsForm: Bool

    /// Preferred serialization (section 4.1): shortest heads and numbers, definite lengths, keys as they come.
    public static let preferred = CBOREncodingOptions(keyOrder: nil, keepsForm: false)

    /// Core deterministic encoding (section 4.2.1): preferred, and keys sorted by their bytes.
    public static let deterministic = CBOREncodingOptions(keyOrder: .bytewise, keepsForm: false)

    /// Length-first deterministic encoding (section 4.2.3): preferred, and keys sorted by length and bytes.
    public static let lengthFirst = CBOREncodingOptions(keyOrder: .lengthFirst, keepsForm: false)

    /// Keeps the precision of every number, and every ``CBOR/formed(_:_:)`` form.
    ///
    /// Only ``FormedCBOR`` uses it, which guarantees that the forms fit.
    static let formed = CBOREncodingOptions(keyOrder: nil, keepsForm: true)
}

extension CBOR {
    /// The value as the bytes of one item.
    ///
    /// Deterministic encodings sort keys; a map that holds a key twice is written with both, as it is.
    public func encoded(_ options: CBOREncodingOptions = .preferred) -> [UInt8] {
        var output = OutputBuffer()
        append(to: &output, options)
        return output.array()
    }

    /// Appends the value as one item.
    func append(to output: inout OutputBuffer, _ options: CBOREncodingOptions) {
        switch self {
        case .unsigned(let argument): output.append(0, argument)
        case .negative(let argument): output.append(1, argument)
        case .bytes(let bytes): output.append(bytes: bytes)
        case .text(let text): output.append(text: text)
        case .array(let elements):
            output.append(4, UInt64(elements.count))
            elements.append(to: &output, options)
        case .map(let map):
            output.append(5, UInt64(map.count))
            map.append(to: &output, options)
        case .tagged(let number, let content): Self.append(number, content, to: &output, options)
        case .simple(let value): output.append(7, UInt64(value.rawValue))
        case .float(let number): output.append(options.keepsForm ? number : number.preferred)
        case .formed(let form, let value):
            if options.keepsForm {
                value.append(to: &output, in: form, options)
            } else {
                value.append(to: &output, options)
            }
        }
    }

    /// Appends a tag; a bignum that fits an integer becomes one, and leading zeros go (RFC 8949 section 3.4.3).
    @inline(never)
    private static func append(
        _ number: UInt64,
        _ content: CBOR,
        to output: inout OutputBuffer,
        _ options: CBOREncodingOptions
    ) {
        if !options.keepsForm, number == 2 || number == 3, case .bytes(let bytes) = content.unformed {
            let reduced = CBORBigInteger(isNegative: number == 3, argument: bytes)
            if reduced.argument.count <= 8 || reduced.argument.count < bytes.count {
                return reduced.cbor.append(to: &output, options)
            }
        }
        output.append(6, number)
        content.append(to: &output, options)
    }
}

extension [CBOR] {
    /// Appends the items one after the other.
    func append(to output: inout OutputBuffer, _ options: CBOREncodingOptions) {
        forEachBorrowed { $0.value.append(to: &output, options) }
    }
}

extension CBORMap {
    /// Appends the pairs, in the order that the options say.
    func append(to output: inout OutputBuffer, _ options: CBOREncodingOptions) {
        guard let order = options.keyOrder, count > 1 else {
            return pairs.forEachBorrowed {
                $0.value.key.append(to: &output, options)
                $0.value.value.append(to: &output, options)
            }
        }
        PairSorter.with(order, capacity: count) { sorter in
            pairs.forEachBorrowed {
                let start = output.count
                $0.value.key.append(to: &output, options)
                sorter.add(keyFrom: start, in: &output)
                $0.value.value.append(to: &output, options)
            }
            sorter.sort(&output)
        }
    }
}
