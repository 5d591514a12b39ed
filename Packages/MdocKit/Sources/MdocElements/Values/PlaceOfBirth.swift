public import CBORKit
public import MdocKit

/// A place of birth as the European person identification data has it.
public struct PlaceOfBirth: Hashable, Sendable {
    /// The country: ISO 3166-1 alpha-2.
    public let country: String?
    /// The state, province or district.
    public let region: String?
    /// The municipality.
    public let locality: String?

    /// Creates a place.
    public init(country: String? = nil, region: String? = nil, locality: String? = nil) {
        self.country = country
        self.region = region
        self.locality = locality
    }
}

extension PlaceOfBirth: DataElementConvertible {
    /// Reads a map; unknown members are ignored.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        let map = try DataElementMap(view)
        country = try map.optional("country", &reading)
        region = try map.optional("region", &reading)
        locality = try map.optional("locality", &reading)
    }

    /// A map of the known parts.
    public func dataElement() -> CBOR {
        var map = CBORMap()
        for (name, value) in [("country", country), ("region", region), ("locality", locality)] {
            if let value { map.append(.text(name), .text(value)) }
        }
        return .map(map)
    }
}
