import CryptoCore
import JOSEKit
import JSONKit
import MdocKit
import MdocResults
import SDJWTKit

/// The values of one transaction that presentations are bound to; on the heap, since each step passes them on.
final class ResponseSession: Sendable {
    let expectation: ResponseExpectation
    let deviations: [Deviation]
    private let audience: String
    private let transcript: SessionTranscript?
    private let knowledge: SessionKnowledge?
    private let readerKeys: [any KeyAgreement]
    private let transactions: [Transaction]

    /// An entry of `transaction_data`.
    struct Transaction: Sendable {
        let text: String
        let type: ExactText
        let queries: Set<QueryID>
    }

    init(_ response: PresentationResponse, _ expectation: ResponseExpectation) throws(CheckFault) {
        self.expectation = expectation
        deviations = response.deviations
        if case .digitalCredentials(let origins) = expectation.channel {
            guard let origin = response.origin, origins.contains(where: origin.hasSameBytes) else {
                throw .failed(.originMismatch, "the response is not one to a page of the verifier", path: ["origin"])
            }
        } else if response.origin != nil {
            throw .failed(.malformed, "the response came by another way than the request asked for", path: ["origin"])
        }
        guard let audience = expectation.audience(origin: response.origin) else {
            throw .failed(.malformed, "the request has no client", path: ["client_id"])
        }
        self.audience = audience
        // Only mdocs are bound to a transcript, and to keys of readers.
        transactions = try expectation.transactionData.map { text throws(CheckFault) in try Transaction(text) }
        guard expectation.query.permitsMdocs else {
            (readerKeys, transcript, knowledge) = ([], nil, nil)
            return
        }
        let key = expectation.decryption?.key
        let thumbprint = key?.thumbprint()
        readerKeys = (try? key?.privateKey()).flatMap { $0.curve == nil ? nil : [$0] } ?? []
        transcript = Self.transcript(response, expectation, thumbprint)
        var knowledge = SessionKnowledge()
        knowledge.sessionTranscript = transcript
        knowledge.clientID = expectation.clientID
        knowledge.nonce = expectation.nonce
        knowledge.responseURI = expectation.channel.address
        knowledge.redirectURI = expectation.mode.address == .redirectURI ? expectation.channel.address : nil
        knowledge.origin = response.origin
        knowledge.mdocGeneratedNonce = response.mdocGeneratedNonce
        knowledge.jwkThumbprints = [thumbprint].compactMap { $0 }
        self.knowledge = knowledge
    }

    /// The transcript for mdocs; nil for a draft without the wallet's nonce.
    private static func transcript(
        _ response: PresentationResponse,
        _ expectation: ResponseExpectation,
        _ thumbprint: [UInt8]?
    ) -> SessionTranscript? {
        let nonce = expectation.nonce
        if let origin = response.origin {
            return SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(origin: origin, nonce: nonce, jwkThumbprint: thumbprint)
            )
        }
        guard let clientID = expectation.clientID, let address = expectation.channel.address else { return nil }
        guard expectation.version != .v1 else {
            return SessionTranscript(
                handover: .openID4VP(
                    clientID: clientID,
                    nonce: nonce,
                    jwkThumbprint: thumbprint,
                    responseURI: address
                )
            )
        }
        return response.mdocGeneratedNonce.map { walletNonce in
            SessionTranscript(
                handover: .openID4VPDraft23(
                    clientID: clientID,
                    responseURI: address,
                    nonce: nonce,
                    mdocGeneratedNonce: walletNonce
                )
            )
        }
    }

    /// The expectation of a presentation that answers some queries.
    func proof(for queries: [QueryID]) -> HolderProofExpectation {
        let isRequired =
            switch expectation.query {
            case .dcql(let query): queries.contains { query[$0]?.requiresHolderBinding != false }
            case .definition: true
            }
        let asked = transactions.filter { !$0.queries.isDisjoint(with: queries) }
        var proof = HolderProofExpectation(
            audience: audience,
            nonce: expectation.nonce,
            isRequired: isRequired,
            sessionTranscript: transcript,
            readerKeys: readerKeys,
            transactionData: asked.map(\.text)
        )
        proof.knowledge = knowledge
        // Of several queries the holder chooses the one whose credential authorizes the transaction.
        proof.optionalTransactions = Set(asked.filter { $0.queries.count > 1 }.map { ExactText($0.text) })
        return proof
    }

    /// Refuses a response in which a transaction is authorized by none of the credentials that may authorize it.
    func requireAuthorization(by response: VerifiedResponse) throws(CheckFault) {
        guard !transactions.isEmpty else { throw .notApplicable("the request has no transactions") }
        for (place, transaction) in transactions.enumerated() {
            let isAuthorized = response.answers.contains { answer in
                transaction.queries.contains(answer.query)
                    && answer.credentials.contains { credential in
                        credential.authorizedTransactions.contains { $0.hasSameBytes(as: transaction.text) }
                    }
            }
            guard isAuthorized else {
                throw .failed(
                    .transactionNotAuthorized,
                    "no credential authorizes the transaction",
                    path: ["transaction_data[\(place)]"]
                )
            }
        }
    }
}

extension ResponseExpectation.Query {
    /// Indicates a query that an mdoc may answer: for a definition, the submission decides about the format.
    fileprivate var permitsMdocs: Bool {
        switch self {
        case .dcql(let query): query.credentials.contains { $0.format.credential == .mdoc }
        case .definition: true
        }
    }
}

extension ResponseSession.Transaction {
    fileprivate init(_ text: String) throws(CheckFault) {
        let members = TransactionMembers(text)
        guard let members, !members.queries.isEmpty else {
            throw .failed(.malformed, "the request's own transaction cannot be read", path: ["transaction_data"])
        }
        self.text = text
        type = members.type
        queries = members.queries
    }
}

/// The members of an entry of `transaction_data` that the verifier itself has sent.
struct TransactionMembers {
    let type: ExactText
    let queries: Set<QueryID>
    /// The hash functions that the entry allows; nil if it names none.
    let hashAlgorithms: Set<SDHashAlgorithm>?

    init?(_ text: String) {
        guard let bytes = try? Base64URL.decode(text), let members = try? JSONValue(parsing: bytes).objectValue,
            let type = members["type"]?.stringValue
        else { return nil }
        self.type = ExactText(type)
        queries = Set((members["credential_ids"]?.arrayValue ?? []).compactMap(\.stringValue).map { QueryID($0) })
        hashAlgorithms = members["transaction_data_hashes_alg"]?.arrayValue.map { names in
            Set(names.compactMap(\.stringValue).map { SDHashAlgorithm(rawValue: $0) })
        }
    }
}
