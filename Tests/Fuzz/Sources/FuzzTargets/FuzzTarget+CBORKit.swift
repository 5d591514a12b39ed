import CBORKit

extension FuzzTarget {
    /// The parsers of CBORKit.
    package static let cbor = [
        FuzzTarget(name: "cbor") { bytes in
            let document = try CBORDocument(bytes)
            let formed = FormedCBOR(document.root)
            let value = formed.value
            require(document.root.value() == value, "the form does not count")
            require(formed.encoded() == bytes, "what is written as read is what was read")
            require(try FormedCBOR(building: value).encoded() == bytes, "a form that was read fits")
            for options in [CBOREncodingOptions.preferred, .deterministic, .lengthFirst] {
                let written = value.encoded(options)
                require((try? CBORDocument(written, options: .preferredForms)) != nil, "the form is the preferred one")
            }
            _ = try? document.root.embedded()
            _ = try value.dCBOREncoded()
        },
        FuzzTarget(name: "cbor-codable") { bytes in
            var decoder = CBORDecoder()
            decoder.unknownKeys = .refuse
            let value = try decoder.decode(CBORModel.self, from: bytes)
            let written = try CBOREncoder().encode(value)
            let again = try CBORDecoder().decode(CBORModel.self, from: written)
            require(try CBOREncoder().encode(again) == written, "what is encoded decodes to the same")
        },
        FuzzTarget(name: "cbor-incremental") { bytes in
            let whole = try? CBORDocument.sequence(bytes).map { Array($0.encodedBytes) }
            var reader = CBORIncrementalReader()
            var items: [[UInt8]] = []
            do {
                for byte in bytes {
                    reader.feed([byte])
                    while case .item(let document) = try reader.next() { items.append(Array(document.encodedBytes)) }
                }
                try reader.finish()
            } catch {
                require(whole == nil, "what is refused in pieces is refused as a whole")
                throw error
            }
            require(whole == items, "pieces give what the whole gives")
        },
        FuzzTarget(name: "cbor-notation") { bytes in
            let written = try CBORDiagnosticNotation.encodeSequence(String(decoding: bytes, as: UTF8.self))
            let items = try CBORDocument.sequence(written)
            for options in [CBORDiagnosticOptions.compact, .readable] {
                let text = items.map { $0.root.diagnosticNotation(options) }.joined(separator: ", ")
                require(try CBORDiagnosticNotation.encodeSequence(text) == written, "what is printed reads back")
            }
        },
    ]
}

extension CBORReadingOptions {
    /// Preferred serialization.
    ///
    /// Keys that differ in the payload of a NaN or the form of a bignum may have become equal.
    fileprivate static let preferredForms: CBORReadingOptions = {
        var options = CBORReadingOptions.deterministic
        options.keyOrder = nil
        options.duplicateKeys = .allow
        return options
    }()
}

/// A type with every kind of member.
private struct CBORModel: Codable {
    var text: String?
    var flag: Bool?
    var integer: Int?
    var byte: UInt8?
    var double: Double?
    var float: Float?
    var bytes: [UInt8]?
    var value: CBOR?
    var dateTime: CBORDateTime?
    var date: CBORDate?
    var bignum: CBORBigInteger?
    var tagged: CBORTagged<Int>?
    var embedded: EmbeddedCBOR<CBOR>?
    var list: [CBORModel]?
    var map: [String: CBORModel]?
    var labels: [Int: String]?
}
