/// How a Codable type is coded.
enum TypeTreatment {
    /// By its own `init(from:)` and `encode(to:)`.
    case standard
    /// As its own ``CBORDecodable`` or ``CBOREncodable`` says.
    case native
    /// As a byte string.
    case bytes
    /// As Foundation's `Date`.
    case date
    /// As a map with text keys: the keys of the standard library's dictionaries claim to be integers where the text
    /// looks like one.
    case textKeyed

    /// How to decode a type.
    static func decoding(_ type: Any.Type) -> TypeTreatment {
        if type is any CBORDecodable.Type || type is any SessionDecodable.Type { return .native }
        if type is any TextKeyedDecodable.Type { return .textKeyed }
        return common(type)
    }

    /// How to encode a type.
    static func encoding(_ type: Any.Type) -> TypeTreatment {
        if type is any CBOREncodable.Type || type is any SessionEncodable.Type { return .native }
        if type is any TextKeyedEncodable.Type { return .textKeyed }
        return common(type)
    }

    private static func common(_ type: Any.Type) -> TypeTreatment {
        if type is any RangeReplaceableCollection<UInt8>.Type { return .bytes }
        return dateNames.contains(String(reflecting: type)) ? .date : .standard
    }

    private static let dateNames: Set<String> = ["Foundation.Date", "FoundationEssentials.Date"]
}

/// The treatments found so far, since finding out takes dynamic casts.
struct TypeCatalogue {
    private let find: (Any.Type) -> TypeTreatment
    private var treatments: [ObjectIdentifier: TypeTreatment] = [:]
    private var last: (type: ObjectIdentifier, treatment: TypeTreatment)?

    init(_ find: @escaping (Any.Type) -> TypeTreatment) {
        self.find = find
    }

    /// How to treat a type.
    mutating func treatment(of type: Any.Type) -> TypeTreatment {
        let identifier = ObjectIdentifier(type)
        if let last, last.type == identifier { return last.treatment }
        let treatment = treatments[identifier] ?? find(type)
        treatments[identifier] = treatment
        last = (identifier, treatment)
        return treatment
    }
}
