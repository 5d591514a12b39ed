import CryptoCore
import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

@testable import IRMAMessages

/// The proofs of the recorded sessions, verified as a server does, with the results that the reference gave.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedVerificationTests {
    @Test(arguments: Recorded.files)
    func givesTheRecordedResult(file: VectorFile) async throws {
        let json = try JSONValue(parsing: file.bytes())
        let schemes = try await Recorded.schemes()
        let keys = try timestampKeys(json)
        let results = json.member("sessionResults").list
        var cases = 0
        for (position, session) in json.member("irmaSessions").list.enumerated() {
            let url = session.member("posted").member("url")
            let exchange = json.member("exchanges").list.first { $0["method"] == "POST" && $0["url"] == url }
            guard let posted = exchange?["requestBody"] else { continue }
            let outcome = try RecordedVerification(
                json: session,
                posted: posted,
                schemes: schemes,
                timestampKeys: keys,
                time: try time(json)
            ).outcome()
            try check(outcome, session, results.indices.contains(position) ? results[position] : .null)
            cases += 1
        }
        file.report(ran: cases, passedOver: cases == 0 ? [(file.path, "holds no proofs")] : [])
    }

    private func check(_ outcome: DisclosureOutcome, _ session: JSONValue, _ result: JSONValue) throws {
        let expected = session.member("expected")
        if let status = expected.member("proofStatus").stringValue {
            #expect(outcome.proofStatus.name == status, "\(outcome.verification.checks)")
        } else {
            #expect((outcome.proofStatus == .valid) == (expected.member("httpStatus") == 200), "\(expected)")
        }
        guard let disclosed = result["disclosed"] else { return }
        var own = SessionResult(token: "", status: .done, kind: .disclosing)
        own.disclosed = outcome.disclosed
        #expect(try own.json()["disclosed"] == disclosed)
    }

    private func time(_ json: JSONValue) throws -> Date {
        let text = try #require(json.member("created").stringValue)
        return try Date(text, strategy: .iso8601)
    }

    /// The key of the timestamp server, from its own answer.
    private func timestampKeys(_ json: JSONValue) throws -> TimestampKeys {
        var keys = TimestampKeys()
        for exchange in json.member("exchanges").list where exchange["role"] == "wallet-timestamp" {
            let response = try TimestampResponse(json: exchange.member("responseBody"))
            let stamp = try #require(response.stamp)
            keys.add(try TimestampKey(rawRepresentation: stamp.signature.publicKey), of: stamp.serverURL)
        }
        return keys
    }
}

/// One recorded session with proofs.
struct RecordedVerification {
    let json: JSONValue
    /// The body that the wallet posted.
    let posted: JSONValue
    let schemes: SchemeSnapshot
    let timestampKeys: TimestampKeys
    let time: Date

    func outcome() throws -> DisclosureOutcome {
        let request = try SessionRequest(json: json.member("request"))
        let verifier = DisclosureVerifier(schemes: schemes)
        switch request.kind {
        case .signing:
            return SignatureVerifier(schemes: schemes, timestampKeys: timestampKeys)
                .verify(try SignedMessage(json: posted), answering: request, at: time)
        case .issuing:
            let list = IdemixProofList(try json.member("proofs").list.map { try IdemixProof(json: $0.member("proof")) })
            let indices = try IssuanceCommitments(json: posted).indices ?? []
            return verifier.verify(
                list,
                indices: indices,
                answering: try effective(request),
                issuing: try request.credentials.map(expectation),
                at: time
            )
        default:
            let response = try DisclosureResponse(json: posted)
            return verifier.verify(response, answering: try effective(request), at: time)
        }
    }

    /// The request with what a chain has added to it, of which the recorded places tell.
    private func effective(_ request: SessionRequest) throws -> SessionRequest {
        let places = posted.member("indices").list.count
        let missing = places - request.disclose.disjunctions.count
        guard missing > 0 else { return request }
        var request = request
        let added: AttributeDisjunction = [[AttributeRequest("irma-demo.RU.studentCard.studentID", value: "s1234567")]]
        request.disclose.disjunctions += Array(repeating: added, count: missing)
        return request
    }

    private func expectation(_ credential: CredentialRequest) throws -> IdemixIssuanceExpectation {
        let type = try #require(schemes.proofType(credential.credential))
        let counter = credential.keyCounter ?? 0
        return IdemixIssuanceExpectation(
            publicKey: try #require(schemes.publicKey(of: credential.credential.issuer, counter: counter)),
            blindIndices: type.blindIndices,
            keyshareServer: type.keyshareServer
        )
    }
}
