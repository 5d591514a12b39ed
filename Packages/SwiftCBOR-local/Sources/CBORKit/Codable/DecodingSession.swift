/// The state that all decoders of one call share.
final class DecodingSession {
    let options: CBORDecoder
    private let types = TypeCatalog(TypeTreatment.decoding)
    // Nothing here calls out while a property is being changed, so the checks at run time would find nothing.
    @exclusivity(unchecked) private var containerCount = 0
    /// Hints for the containers' next searches; containers that share a place lose their hint at worst.
    @exclusivity(unchecked) private var hints = [Hint](repeating: Hint(container: -1, key: 0), count: 16)

    private struct Hint {
        var container: Int
        var key: Int
    }

    init(_ options: CBORDecoder) {
        self.options = options
    }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    /// The treatment of a type.
    func treatment(of type: Any.Type) -> TypeTreatment { types.treatment(of: type) }

    /// A number for a container, not given before.
    func numberForContainer() -> Int {
        unsafe containerCount += 1
        return unsafe containerCount
    }

    /// The entry of the key that a container may look at first, if it is still known.
    func hint(for container: Int) -> Int? {
        let hint = unsafe hints[container & 15]
        return hint.container == container ? hint.key : nil
    }

    /// Notes the entry of the key that a container may look at first.
    func setHint(_ key: Int, for container: Int) {
        unsafe hints[container & 15] = Hint(container: container, key: key)
    }
}
