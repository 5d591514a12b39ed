/// The search for the answers to a request among the credentials that were shown (chapter "condiscon" of the protocol).
struct DisclosureMatching {
    /// The attributes of each disjunction; nil for one that is not answered.
    private(set) var answers: [[DisclosedAttribute]?] = []
    /// The disclosed attributes that answer no disjunction.
    private(set) var extras: [DisclosedAttribute] = []
    /// The position of the first disjunction without places, or nil.
    private let firstWithoutPlaces: Int?

    /// Matches credentials against a request.
    ///
    /// Of each disjunction the first conjunction counts whose requests the places answer, in their order. Where there are places
    /// for fewer disjunctions than are asked, none is answered, and everything shown is an extra.
    init(_ request: Condiscon, shown: [ShownCredential], indices: [[AttributePosition]]) {
        firstWithoutPlaces = indices.count < request.disjunctions.count ? indices.count : nil
        var used: Set<AttributePosition> = []
        for (disjunction, places) in firstWithoutPlaces == nil ? Array(zip(request.disjunctions, indices)) : [] {
            let answer = disjunction.choices.lazy.compactMap { Self.answer($0, shown: shown, places: places) }.first
            if answer != nil { used.formUnion(places) }
            answers.append(answer)
        }
        for (credential, shown) in shown.enumerated() {
            extras += shown.extras(
                at: shown.values.keys.filter {
                    !used.contains(AttributePosition(credential: credential, attribute: $0))
                }
            )
        }
    }

    private static func answer(
        _ conjunction: AttributeConjunction,
        shown: [ShownCredential],
        places: [AttributePosition]
    ) -> [DisclosedAttribute]? {
        guard places.count == conjunction.attributes.count else { return nil }
        var answer: [DisclosedAttribute] = []
        var instances: [CredentialTypeIdentifier: Int] = [:]
        for (request, place) in zip(conjunction.attributes, places) {
            guard shown.indices.contains(place.credential),
                let attribute = shown[place.credential].attribute(at: place.attribute, answering: request)
            else { return nil }
            // All attributes of one type come from one credential.
            let instance = instances.updateValue(place.credential, forKey: request.type.credentialType)
            guard instance == nil || instance == place.credential else { return nil }
            answer.append(attribute)
        }
        return answer
    }

    /// The position of the first disjunction that is not answered, or nil.
    var firstUnanswered: Int? { firstWithoutPlaces ?? answers.firstIndex { $0 == nil } }

    /// The attributes as results list them.
    var disclosed: [[DisclosedAttribute]?] { extras.isEmpty ? answers : answers + [extras] }
}
