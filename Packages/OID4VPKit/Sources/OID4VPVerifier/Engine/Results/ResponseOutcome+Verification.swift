import JSONKit

extension ResponseOutcome {
    /// The outcome of a verification.
    init(_ verification: Verification<VerifiedResponse>) {
        let report = try? StrictJSONEncoder().encodeValue(verification.report)
        switch verification.verdict {
        case .verified(let response):
            self.init(failure: nil, report: report, credentials: response.json)
        case .refused(let refusal):
            self.init(failure: TransactionFailure(refusal), report: report, credentials: nil)
        }
    }
}

extension TransactionFailure {
    /// The failure of a response that a check refuses: the message begins with the check and the place.
    fileprivate init(_ refusal: Refusal) {
        let place = ([refusal.check.name] + refusal.path).joined(separator: ".")
        self.init(code: refusal.reason.name, message: "\(place): \(refusal.message)")
    }
}

extension VerifiedResponse {
    /// The credentials by the names of their queries.
    var json: JSONValue {
        .object(
            JSONObject(
                answers.map { answer in
                    (name: answer.query.text, value: .array(answer.credentials.map(\.json)))
                }
            )
        )
    }
}

extension PresentedCredential {
    /// The credential, as requestors have it.
    var json: JSONValue {
        var object: JSONObject = [
            "format": .string(format.text), "issuer": .string(issuer),
            "types": .array(types.map { .string($0.text) }), "holder_bound": .bool(isHolderBound),
            "claims": .object(claims),
        ]
        object["trust_anchor"] = trustAnchor.map { .string($0) }
        let (start, end) = validity.seconds
        object["valid_from"] = start.map { .integer($0) }
        object["valid_until"] = end.map { .integer($0) }
        if !authorizedTransactions.isEmpty {
            object["authorized_transactions"] = .array(authorizedTransactions.map { .string($0) })
        }
        return .object(object)
    }
}

extension DisclosedCredential {
    /// Reads the credential of a result; nil for JSON of another form.
    init?(json: JSONValue, query: QueryID) {
        guard let format = json["format"]?.stringValue, let claims = json["claims"]?.objectValue else { return nil }
        func second(_ name: String) -> Int64? { (try? json[name]?.numberValue?.integer(as: Int64.self)) ?? nil }
        func texts(_ name: String) -> [String] { (json[name]?.arrayValue ?? []).compactMap(\.stringValue) }
        self.query = query
        self.format = CredentialFormat(format)
        types = texts("types").map { ExactText($0) }
        issuer = Issuer(name: json["issuer"]?.stringValue ?? "", trustAnchor: json["trust_anchor"]?.stringValue)
        validity = CredentialValidity(
            fromSecond: second("valid_from"),
            untilSecond: second("valid_until"),
            includesEnd: self.format == .mdoc
        )
        isHolderBound = json["holder_bound"]?.boolValue ?? false
        self.claims = self.format.divide(claims).own
        authorizedTransactions = texts("authorized_transactions")
    }
}
