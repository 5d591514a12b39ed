import JSONKit

extension ResponseOutcome {
    /// The outcome of a verification.
    init(_ verification: Verification<VerifiedResponse>) {
        let report = try? StrictJSONEncoder().encodeValue(verification.report)
        switch verification.verdict {
        case .verified(let response):
            self.init(failure: nil, report: report, credentials: response.json)
        case .refused(let refusal):
            let failure = TransactionFailure(code: refusal.reason.name, message: refusal.message)
            self.init(failure: failure, report: report, credentials: nil)
        }
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
        if !authorizedTransactions.isEmpty {
            object["authorized_transactions"] = .array(authorizedTransactions.map { .string($0) })
        }
        return .object(object)
    }
}
