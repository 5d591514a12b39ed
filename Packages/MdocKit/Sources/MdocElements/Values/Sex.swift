public import CBORKit
public import MdocKit

/// The sex of a holder by ISO/IEC 5218, with the further codes of the European person identification data; an open set.
public struct Sex: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public let rawValue: UInt64

    /// Wraps a code.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Not known.
    public static let notKnown = Sex(rawValue: 0)
    /// Male.
    public static let male = Sex(rawValue: 1)
    /// Female.
    public static let female = Sex(rawValue: 2)
    /// Other (European person identification data).
    public static let other = Sex(rawValue: 3)
    /// Inter (European person identification data).
    public static let inter = Sex(rawValue: 4)
    /// Diverse (European person identification data).
    public static let diverse = Sex(rawValue: 5)
    /// Open (European person identification data).
    public static let open = Sex(rawValue: 6)
    /// Not applicable; ISO/IEC 18013-5 reads it as not specified.
    public static let notSpecified = Sex(rawValue: 9)

    /// The code in decimal.
    public var description: String { "\(rawValue)" }
}

extension Sex: DataElementConvertible {
    /// Reads a code.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        rawValue = try cbor(view.integer())
    }

    /// The code.
    public func dataElement() -> CBOR { .unsigned(rawValue) }
}
