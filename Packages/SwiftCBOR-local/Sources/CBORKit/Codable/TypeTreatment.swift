/// The way in which a Codable type is coded.
enum TypeTreatment {
    /// By its own `init(from:)` and `encode(to:)`.
    case standard
    /// As a type that reads items itself.
    case decodable(any CBORDecodable.Type)
    /// As a type that is decoded better here than by its own `init(from:)`.
    case sessionDecodable(any SessionDecodable.Type)
    /// As a type that writes items itself.
    case encodable
    /// As a type that is encoded better here than by its own `encode(to:)`.
    case sessionEncodable
    /// As a byte string.
    case bytes(any RangeReplaceableCollection<UInt8>.Type)
    /// As Foundation's `Date`.
    case date

    /// The treatment of a type in decoding.
    static func decoding(_ type: Any.Type) -> TypeTreatment {
        if let type = type as? any RangeReplaceableCollection<UInt8>.Type { return .bytes(type) }
        if let type = type as? any SessionDecodable.Type { return .sessionDecodable(type) }
        if let type = type as? any CBORDecodable.Type { return .decodable(type) }
        return dateNames.contains(String(reflecting: type)) ? .date : .standard
    }

    /// The treatment of a type in encoding.
    static func encoding(_ type: Any.Type) -> TypeTreatment {
        if let type = type as? any RangeReplaceableCollection<UInt8>.Type { return .bytes(type) }
        if type is any SessionEncodable.Type { return .sessionEncodable }
        if type is any CBOREncodable.Type { return .encodable }
        return dateNames.contains(String(reflecting: type)) ? .date : .standard
    }

    private static let dateNames: Set<String> = ["Foundation.Date", "FoundationEssentials.Date"]
}

/// The treatments found so far, since finding out takes dynamic casts.
final class TypeCatalog {
    private let find: (Any.Type) -> TypeTreatment
    // Nothing here calls out while a property is being changed, so the checks at run time would find nothing.
    @exclusivity(unchecked) private var treatments: [ObjectIdentifier: TypeTreatment] = [:]
    /// Those asked for lately, at a place that follows from the identifier.
    @exclusivity(unchecked) private var recent: [Recent?] = Array(repeating: nil, count: 16)

    private struct Recent {
        let type: ObjectIdentifier
        let treatment: TypeTreatment
    }

    init(_ find: @escaping (Any.Type) -> TypeTreatment) {
        self.find = find
    }

    /// The treatment of a type.
    func treatment(of type: Any.Type) -> TypeTreatment {
        let identifier = ObjectIdentifier(type)
        let place = Int((UInt(bitPattern: identifier) >> 3 ^ UInt(bitPattern: identifier) >> 8) & 15)
        if let recent = unsafe recent[place], recent.type == identifier { return recent.treatment }
        let treatment = unsafe treatments[identifier] ?? find(type)
        unsafe treatments[identifier] = treatment
        unsafe recent[place] = Recent(type: identifier, treatment: treatment)
        return treatment
    }
}
