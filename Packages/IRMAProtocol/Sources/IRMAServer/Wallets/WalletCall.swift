import IRMAMessages
import JSONKit

/// A wallet's request, as far as it concerns every endpoint.
struct WalletCall: Sendable {
    /// The wallet's token in the path.
    let token: String
    /// The header `Authorization`.
    let authorization: String?
    /// The host that the request names.
    let host: String?
}

/// The endpoints of which the last answer is kept.
enum WalletEndpoint: String, Sendable {
    case first = "session"
    case proofs
    case commitments
}

/// An answer to a wallet.
struct WalletAnswer: Sendable {
    let code: Int
    let body: [UInt8]
    /// Indicates the answer to an earlier request, which comes without a content type.
    let isRepeated: Bool

    /// A new answer: a value, or an error.
    init(_ outcome: Result<JSONValue, RemoteError>) {
        switch outcome {
        case .success(let json): (code, body) = (200, json.encoded())
        case .failure(let error): (code, body) = (error.status ?? 500, error.bounded.json().encoded())
        }
        isRepeated = false
    }

    /// A new answer of a JSON text.
    init(_ body: [UInt8]) {
        (code, self.body, isRepeated) = (200, body, false)
    }

    init(_ kept: KeptAnswer) {
        (code, body) = (kept.code, Array(kept.body.utf8))
        isRepeated = true
    }
}

extension SessionRecord {
    /// The time in milliseconds for which a wallet may repeat a request: wallets give up before.
    static let repetitionTime: Int64 = 10_000

    /// Returns `true` if the wallet may be repeating the request that was answered last.
    ///
    /// Only the wallet that sent it is answered again, however much another one knows.
    func mayRepeat(_ endpoint: WalletEndpoint, _ authorization: String?, at now: Int64) -> Bool {
        guard let answer, answer.endpoint == endpoint.rawValue, answer.status == status else { return false }
        return now - lastActive <= Self.repetitionTime
            && SessionTokens.areEqual(answer.authorization, authorization)
    }

    /// The answer to a repeated request, or nil.
    func repeatedAnswer(
        _ endpoint: WalletEndpoint,
        _ authorization: String?,
        body: [UInt8],
        at now: Int64
    ) -> WalletAnswer? {
        guard mayRepeat(endpoint, authorization, at: now), let answer, answer.mark.matches(body) else { return nil }
        return WalletAnswer(answer)
    }

    /// Keeps the answer to a request.
    mutating func keep(_ given: WalletAnswer, _ endpoint: WalletEndpoint, _ authorization: String?, mark: BodyMark) {
        answer = KeptAnswer(
            endpoint: endpoint.rawValue,
            authorization: authorization ?? "",
            mark: mark,
            status: status,
            code: given.code,
            body: String(decoding: given.body, as: UTF8.self)
        )
    }

    /// Refuses a request for another host than the session's.
    func requireHost(_ host: String?) throws(RemoteError) {
        guard let wanted = request.parameters.host, wanted != host else { return }
        throw RemoteError(.unauthorized, message: "Host mismatch")
    }
}
