public import CBORKit
public import MdocKit

/// The nationalities of a holder: an array of country codes, or a single one as the mobile driving licence has it.
public struct Nationalities: Hashable, Sendable {
    /// The codes: ISO 3166-1 alpha-2.
    public let codes: [String]
    /// Indicates that the element is a single text; it then has exactly one code.
    public let isSingleText: Bool

    /// Nationalities as an array, the form of the European person identification data.
    public init(_ codes: [String]) {
        self.codes = codes
        isSingleText = false
    }

    /// One nationality as a text, the form of the mobile driving licence.
    public init(single code: String) {
        codes = [code]
        isSingleText = true
    }
}

extension Nationalities: DataElementConvertible {
    /// Reads an array of texts or a text.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        if view.kind == .array {
            self.init(try [String](dataElement: view, reading: &reading))
        } else {
            self.init(single: try cbor(view.text()))
        }
    }

    /// An array of texts, or a text.
    public func dataElement() -> CBOR {
        isSingleText ? .text(codes.first ?? "") : .array(codes.map { .text($0) })
    }
}
