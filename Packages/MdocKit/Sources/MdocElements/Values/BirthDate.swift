public import CBORKit
public import MdocKit

/// A date of birth of which digits may not be known (ISO/IEC TS 23220-2).
public struct BirthDate: Hashable, Sendable {
    /// The date; masked digits of it mean nothing.
    public let date: FullDate
    /// Eight digits for YYYYMMDD, of which 1 says that the digit is not known; nil if all are known.
    public let approximateMask: String?

    /// Creates a date of birth that is known.
    public init(_ date: FullDate) {
        self.date = date
        approximateMask = nil
    }

    /// Creates a date of birth of which digits may not be known; nil if the mask is not eight digits of 0 and 1.
    public init?(_ date: FullDate, approximateMask: String) {
        guard Self.isMask(approximateMask) else { return nil }
        self.date = date
        self.approximateMask = approximateMask
    }

    /// Indicates that every digit is known.
    public var isExact: Bool { approximateMask?.utf8.contains(UInt8(ascii: "1")) != true }

    /// Returns `true` if a text has the form of a mask.
    static func isMask(_ text: String) -> Bool {
        text.utf8.count == 8 && text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") }
    }
}

extension BirthDate: DataElementConvertible {
    /// Reads a map, or a `full-date` as some issuers send it.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        guard view.kind == .map else {
            self.init(try FullDate(dataElement: view, reading: &reading))
            return
        }
        let map = try DataElementMap(view)
        self.init(try map.required("birth_date", &reading))
        guard let mask: String = try map.optional("approximate_mask", &reading) else { return }
        guard let approximate = BirthDate(date, approximateMask: mask) else {
            throw MdocError(.invalidValue, "approximate_mask is not eight digits of 0 and 1", at: view)
        }
        self = approximate
    }

    /// A map.
    public func dataElement() -> CBOR {
        var map: CBORMap = ["birth_date": date.dataElement()]
        if let approximateMask { map.append("approximate_mask", .text(approximateMask)) }
        return .map(map)
    }
}
