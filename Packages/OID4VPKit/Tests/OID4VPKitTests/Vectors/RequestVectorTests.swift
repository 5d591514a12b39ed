import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

private let vectors = VectorSet("oid4vp")

private func json(_ file: VectorFile) throws -> JSONValue { try JSONValue(parsing: file.bytes()) }

private func files(with member: String) -> [VectorFile] {
    vectors.files(withExtension: "json").filter { (try? json($0))?[member] != nil }
}

@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct RequestVectorTests {
    /// The outcome of a request.
    private struct Outcome {
        var request: AuthenticatedRequest?
        var content: PresentationRequest?
        var code: String?
        var reason = ""
        var deviations: [Deviation] = []
    }

    /// Strict, but for identifiers of older drafts and white space, which the vectors accept; for requests of draft 23 with
    /// its forms.
    private static func strict(_ entry: JSONValue) -> RequestReadingOptions {
        var options = RequestReadingOptions(tolerances: [.bareDID, .surroundingWhiteSpace])
        if entry["version"] == "draft23" {
            options.tolerances.formUnion([.removedPrefix, .olderFormats, .olderEncryption])
        }
        return options
    }

    private func outcome(
        _ entry: JSONValue,
        _ certificates: JSONObject,
        _ options: RequestReadingOptions
    ) async throws -> Outcome {
        let context = VectorContext(json: try #require(entry["context"]), certificates: certificates)
        let transport = transport(for: entry["fetch"])
        let authenticator = RequestAuthenticator(policy: try context.policy(), transport: transport, options: options)
        var outcome = Outcome()
        do throws(OID4VPError) {
            let verification: Verification<AuthenticatedRequest>
            if let data = entry["data"]?.objectValue {
                verification = await authenticator.authenticate(
                    PlatformRequest(
                        protocolIdentifier: ExactText(entry["protocol"]?.stringValue ?? ""),
                        data: data,
                        origin: context.json["origin"]?.stringValue ?? ""
                    ),
                    at: context.time
                )
            } else {
                let request = try AuthorizationRequest(url: entry["request"]?.stringValue ?? "", options: options)
                verification = await authenticator.authenticate(
                    request,
                    walletNonce: context.json["wallet_nonce"]?.stringValue,
                    at: context.time
                )
            }
            outcome.deviations = verification.deviations
            switch verification.verdict {
            case .verified(let request):
                outcome.request = request
                let content = try request.presentationRequest(support: context.support)
                outcome.content = content
                outcome.deviations += content.deviations
            case .refused(let refusal):
                outcome.code = refusal.authorizationCode?.text ?? "terminate"
                outcome.reason = refusal.description
            }
        } catch {
            outcome.code = error.authorizationCode.text
            outcome.reason = "\(error)"
        }
        return outcome
    }

    @Test(arguments: files(with: "cases"))
    func comesToTheExpectedOutcome(_ file: VectorFile) async throws {
        let json = try json(file)
        let certificates = try #require(json["certificates"]?.objectValue)
        let cases = try #require(json["cases"]?.arrayValue)
        for entry in cases {
            let id = entry["id"]?.stringValue ?? "?"
            let expected = try #require(entry["expect"])
            let outcome = try await outcome(entry, certificates, Self.strict(entry))
            guard expected["accept"]?.boolValue == true else {
                #expect(outcome.code == expected["error"]?.stringValue, "\(id): \(outcome.reason)")
                continue
            }
            #expect(outcome.code == nil, "\(id): \(outcome.reason)")
            guard let request = outcome.request, let content = outcome.content else { continue }
            #expect(request.isSigned == expected["signed"]?.boolValue, "\(id)")
            if let prefix = expected["client_id_prefix"]?.stringValue {
                #expect(request.client?.prefix.text == prefix, "\(id)")
            }
            if let original = expected["original_client_id"]?.stringValue {
                #expect(request.client?.original == original, "\(id)")
            }
            let address = expected["response_uri"] ?? expected["redirect_uri"]
            #expect(request.target.address == address?.stringValue, "\(id)")
            if let audience = expected["audience"]?.stringValue { #expect(request.audience == audience, "\(id)") }
            if let nonce = expected["nonce"]?.stringValue { #expect(content.nonce == nonce, "\(id)") }
            if let encryption = expected["encryption"] {
                #expect(content.encryption?.key.keyID == encryption["kid"]?.stringValue, "\(id)")
                #expect(content.encryption?.algorithm.rawValue == encryption["alg"]?.stringValue, "\(id)")
                #expect(content.encryption?.encryption.rawValue == encryption["enc"]?.stringValue, "\(id)")
            }
            if let uri = expected["presentation_definition_uri"]?.stringValue {
                guard case .definitionReference(let url) = content.query else {
                    Issue.record("\(id): no reference")
                    continue
                }
                #expect(url.description == uri, "\(id)")
            }
        }
        file.report(ran: cases.count)
    }

    /// Tolerances report what they accept; all else that is refused stays refused.
    @Test(arguments: files(with: "cases"))
    func reportsWhatTolerancesAccept(_ file: VectorFile) async throws {
        let json = try json(file)
        let certificates = try #require(json["certificates"]?.objectValue)
        var accepted: [String] = []
        let cases = try #require(json["cases"]?.arrayValue)
        for entry in cases where entry["expect"]?["accept"]?.boolValue == false {
            let outcome = try await outcome(entry, certificates, .deployed)
            guard outcome.code == nil else { continue }
            accepted.append(entry["id"]?.stringValue ?? "?")
            #expect(!outcome.deviations.isEmpty, "\(accepted)")
        }
        #expect(
            Set(accepted) == [
                "pre-registered-client-metadata-present", "content-type-json", "request-uri-method-without-request-uri",
                "san-uri-in-1.0", "nonce-bad-characters", "state-bad-characters", "typ-absent", "typ-JWT",
            ]
        )
        file.report(ran: cases.count)
    }

    @Test(arguments: files(with: "prefix_table"))
    func readsPrefixes(_ file: VectorFile) throws {
        let rows = try #require(try json(file)["prefix_table"]?.arrayValue)
        for row in rows {
            let id = try #require(row["client_id"]?.stringValue)
            let scheme = row["client_id_scheme"]?.stringValue
            guard let prefix = row["prefix"]?.stringValue else {
                #expect(throws: OID4VPError.self, "\(id)") { try ClientIdentifier(id, scheme: scheme) }
                continue
            }
            let client = try ClientIdentifier(id, scheme: scheme)
            #expect(client.prefix.text == prefix, "\(id)")
            #expect(client.original == row["original"]?.stringValue, "\(id)")
            #expect(client.text.text == id)
        }
        file.report(ran: rows.count)
    }
}
