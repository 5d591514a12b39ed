import MdocKit

/// A value of a session as a peer may have had it, and how that differs from what the reader knows.
struct Variant<Value> {
    let value: Value
    let variations: [SessionVariation]

    init(_ value: Value, _ variations: SessionVariation...) {
        self.value = value
        self.variations = variations
    }

    private init(_ value: Value, all variations: [SessionVariation]) {
        self.value = value
        self.variations = variations
    }

    /// The value made into another one.
    func map<Result>(_ transform: (Value) -> Result) -> Variant<Result> {
        Variant<Result>(transform(value), all: variations)
    }

    /// This value together with another one.
    func joined<Other>(_ other: Variant<Other>) -> Variant<(Value, Other)> {
        Variant<(Value, Other)>((value, other.value), all: variations + other.variations)
    }
}

extension [Variant<String>] {
    /// A text and others, those left out that are the same.
    init(_ text: String, or others: [Variant<String>]) {
        var seen: Set<[UInt8]> = [[UInt8](text.utf8)]
        self = [Variant(text)] + others.filter { seen.insert([UInt8]($0.value.utf8)).inserted }
    }
}

extension Array {
    /// Every value of this list with every value of another.
    func paired<Value, Other>(
        with others: [Variant<Other>]
    ) -> [Variant<(Value, Other)>] where Element == Variant<Value> {
        flatMap { value in others.map { value.joined($0) } }
    }
}
