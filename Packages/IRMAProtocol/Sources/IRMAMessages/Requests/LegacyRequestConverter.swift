/// Converts session requests between the present form and that before protocol 2.5.
public enum LegacyRequestConverter {
    /// The request in the present form: each disjunction becomes one of conjunctions with one attribute, each label a text
    /// in English and Dutch.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a kind that no session request has.
    public static func request(from legacy: LegacySessionRequest) throws(IRMAError) -> SessionRequest {
        let purpose: SessionRequest.Purpose
        switch legacy.kind {
        case .disclosing: purpose = .disclosing
        case .signing: purpose = .signing(message: legacy.message ?? "")
        case .issuing: purpose = .issuing(legacy.credentials)
        default: throw IRMAError(.malformed, "\(legacy.kind) is no kind of session request", path: ["type"])
        }
        var labels: [Int: TranslatedText?] = [:]
        for (position, disjunction) in legacy.content.enumerated() {
            labels[position] = TranslatedText(["en": disjunction.label, "nl": disjunction.label])
        }
        return SessionRequest(
            purpose,
            disclose: Condiscon(
                legacy.content.map { AttributeDisjunction($0.attributes.map { AttributeConjunction([$0]) }) }
            ),
            labels: labels,
            parameters: legacy.parameters,
            isFromLegacyRequest: true
        )
    }

    /// The request in the older form.
    ///
    /// The label of a disjunction is its English one, or the name of its first attribute.
    ///
    /// - Throws: ``IRMAError/Code/notConvertible`` if a conjunction has not exactly one attribute, or if more than a
    ///   value is demanded of one.
    public static func legacy(from request: SessionRequest) throws(IRMAError) -> LegacySessionRequest {
        var content: [LegacyDisjunction] = []
        for (position, disjunction) in request.disclose.disjunctions.enumerated() {
            var attributes: [AttributeRequest] = []
            for choice in disjunction.choices {
                guard choice.attributes.count == 1, let attribute = choice.attributes.first,
                    !attribute.isPresenceRequired
                else {
                    throw IRMAError(
                        .notConvertible,
                        "the older form has only conjunctions of one attribute",
                        path: ["disclose[\(position)]"]
                    )
                }
                attributes.append(attribute)
            }
            let label = request.labels[position].flatMap { $0?["en"] } ?? attributes.first?.type.text ?? ""
            content.append(LegacyDisjunction(label: label, attributes: attributes))
        }
        return LegacySessionRequest(
            request.kind,
            content: content,
            message: request.message,
            credentials: request.credentials,
            parameters: request.parameters
        )
    }
}
