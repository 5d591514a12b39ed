import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

@Suite struct OID4VPCommandTests {
    private static let definition =
        #"{"id":"pd","input_descriptors":[{"id":"a","constraints":{"fields":[{"path":["$.vct"]}]}}]}"#

    private static func url(_ parameters: [(String, String)]) -> String {
        let items = parameters.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        return "openid4vp://authorize?" + items.joined(separator: "&")
    }

    private static let unsigned = [
        ("client_id", "redirect_uri:https://v.example/post"), ("response_type", "vp_token"),
        ("response_mode", "direct_post"), ("response_uri", "https://v.example/post"), ("nonce", "n/0=="),
        ("presentation_definition", definition),
    ]

    @Test func showsTheDeviationsOfARequestByValue() async {
        let inspection = await Invocation.run("oid4vp", "inspect", Self.url(Self.unsigned))
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        #expect(inspection.output.contains("version: drafts 22 to 25, with Presentation Exchange"))
        #expect(inspection.output.contains("client identifier prefix: redirect_uri"))
        #expect(inspection.output.contains("anyCharacters"), "of the nonce")
        for rule in [
            "version", "clientIdentifier", "signedRequest", "requestURI", "responseMode", "encryption", "query",
        ] {
            #expect(inspection.output.contains("haip.\(rule)"), "\(rule)")
        }
    }

    @Test func findsNothingInARequestThatFollowsHAIP() async throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.generate(.p256)
        var encryptionKey = try JWK(PrivateKey.generate(.p256).publicKey).members
        encryptionKey["kid"] = "1"
        encryptionKey["use"] = "enc"
        encryptionKey["alg"] = "ECDH-ES"
        let query: JSONValue = [
            "credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:eudi:pid:1"]]]]
        ]
        let claims: JSONObject = [
            "client_id": "x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk", "response_type": "vp_token",
            "aud": "https://self-issued.me/v2", "response_mode": "direct_post.jwt", "nonce": "Zy1-0_abc",
            "response_uri": "https://verifier.example/response", "dcql_query": query,
            "client_metadata": [
                "vp_formats_supported": ["dc+sd-jwt": [:]], "jwks": ["keys": [.object(encryptionKey)]],
                "encrypted_response_enc_values_supported": ["A256GCM", "A128GCM"],
            ],
        ]
        let object = try await JWT.sign(
            JWTClaims(claims),
            header: ["alg": "ES256", "typ": "oauth-authz-req+jwt"],
            with: SoftwareSigner(key)
        )
        let file = try folder.write(object.compactSerialization(), to: "request.jwt")
        let inspection = await Invocation.run("oid4vp", "inspect", file, "--json")
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        let report = try JSONValue(parsing: inspection.output)
        #expect(report["version"] == "1.0")
        #expect(report["deviationsFromItsVersion"] == "none")
        #expect(report["deviationsFromHAIP"] == "none")
        #expect(report["dcqlQuery"] == query)
    }

    @Test func readsARequestOverTheDigitalCredentialsAPI() async throws {
        let folder = try TemporaryFolder()
        let request = #"""
            {"protocol":"openid4vp-v1-unsigned","data":{"response_type":"vp_token","response_mode":"dc_api","nonce":"abc",
            "dcql_query":{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"org.iso.18013.5.1.mDL"}}]}}}
            """#
        let inspection = await Invocation.run("oid4vp", "inspect", try folder.write(request, to: "request.json"))
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        #expect(inspection.output.contains("response mode: dc_api"))
        #expect(inspection.output.contains("deviations from its version: none"))
        #expect(inspection.output.contains("haip.responseMode"))
    }

    /// Inspects a request object.
    private func inspection(_ changes: JSONObject, header: JOSEHeader = [:]) async throws -> Invocation {
        var claims: JSONObject = [
            "client_id": "x509_san_dns:v.example", "response_type": "vp_token", "response_mode": "direct_post",
            "nonce": "Zy1-0_abc", "response_uri": "https://v.example/response", "aud": "https://self-issued.me/v2",
            "dcql_query": ["credentials": [["id": "a", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]]]]],
        ]
        for (name, value) in changes { claims[name] = value }
        var all: JOSEHeader = ["typ": "oauth-authz-req+jwt"]
        for name in header.members.names { all[name] = header[name] }
        if header["typ"] == "" { all["typ"] = nil }
        let object = try await JWS.sign(
            JSONValue.object(claims).encoded(),
            header: all,
            with: SoftwareSigner(PrivateKey.generate(.p256))
        )
        let folder = try TemporaryFolder()
        let file = try folder.write(object.compactSerialization(), to: "request.jwt")
        return await Invocation.run("oid4vp", "inspect", file, "--json")
    }

    /// The deviations of a request object.
    private func deviations(_ changes: JSONObject, header: JOSEHeader = [:]) async throws -> [String] {
        let inspection = try await inspection(changes, header: header)
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        let list = try JSONValue(parsing: inspection.output)["deviationsFromItsVersion"]?.arrayValue ?? []
        return list.compactMap(\.stringValue)
    }

    @Test func findsTheDeviationsOfARequestObject() async throws {
        #expect(try await deviations([:]).isEmpty)
        for (name, changes, header) in [
            ("missingObjectType", [:], ["typ": "JWT"]), ("missingObjectType", [:], ["typ": ""]),
            ("missingAudience", ["aud": .null], [:]), ("nullParameters", ["state": .null], [:]),
            ("bareDID", ["client_id": "did:example:v"], [:]), ("bareEntity", ["client_id": "https://v.example"], [:]),
            ("removedPrefix", ["client_id": "x509_san_uri:https://v.example"], [:]),
            ("requestInsideObject", ["request_uri": "https://v.example/r"], [:]),
        ] as [(String, JSONObject, JOSEHeader)] {
            let found = try await deviations(changes, header: header)
            #expect(found.contains { $0.contains(name) }, "\(name): \(found)")
        }
    }

    @Test func refusesARequestObjectOfAnotherType() async throws {
        let inspection = try await inspection([:], header: ["typ": "kb+jwt"])
        #expect(inspection.status == 1, "\(inspection.errors)")
        #expect(inspection.output.contains("the type is not oauth-authz-req+jwt"))
    }

    @Test func readsARequestWithoutAResponseMode() async {
        let query = #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":["urn:pid"]}}]}"#
        let inspection = await Invocation.run(
            "oid4vp",
            "inspect",
            Self.url([
                ("client_id", "redirect_uri:https://v.example/cb"), ("response_type", "vp_token"), ("nonce", "n1"),
                ("redirect_uri", "https://v.example/cb"), ("dcql_query", query),
            ])
        )
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        #expect(
            inspection.output.contains("missingResponseMode") && inspection.output.contains("response mode: fragment")
        )
    }

    /// A wallet ignores the client of such a request (OpenID4VP 1.0, appendix A.2).
    @Test(arguments: ["web-origin:https://v.example", "x509_san_dns:v.example"])
    func ignoresTheClientOfAnUnsignedRequestOfAPlatform(client: String) async throws {
        let request = """
            {"protocol":"openid4vp-v1-unsigned","data":{"client_id":"\(client)","response_type":"vp_token",
            "response_mode":"dc_api","nonce":"abc",
            "dcql_query":{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"org.iso.18013.5.1.mDL"}}]}}}
            """
        let folder = try TemporaryFolder()
        let file = try folder.write(request, to: "request.json")
        let inspection = await Invocation.run("oid4vp", "inspect", file)
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        #expect(inspection.output.contains("ignored client: \(client)"))
        #expect(
            !inspection.output.contains("haip.clientIdentifier") && !inspection.output.contains("haip.signedRequest")
        )
    }

    /// A request over the Digital Credentials API with a signature for each of two clients.
    private static func multiSigned(_ others: JSONObject = [:]) async throws -> JSONValue {
        var claims: JSONObject = [
            "response_type": "vp_token", "response_mode": "dc_api", "nonce": "abc",
            "expected_origins": ["https://v.example"],
            "dcql_query": ["credentials": [["id": "a", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]]]]],
        ]
        for (name, value) in others { claims[name] = value }
        var object: JWS?
        for client in [
            "x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk", "decentralized_identifier:did:example:v",
        ] {
            let header: JOSEHeader = ["typ": "oauth-authz-req+jwt", "client_id": .string(client)]
            let signer = try SoftwareSigner(PrivateKey.generate(.p256))
            if let earlier = object {
                object = try await earlier.addingSignature(header: header, with: signer)
            } else {
                object = try await JWS.sign(JSONValue.object(claims).encoded(), header: header, with: signer)
            }
        }
        return try JSONValue(parsing: try #require(object).generalSerialization())
    }

    @Test func showsEachSignatureOfAMultiSignedRequest() async throws {
        let folder = try TemporaryFolder()
        let object = try await Self.multiSigned()
        let wrapped: JSONValue = ["protocol": "openid4vp-v1-multisigned", "data": ["request": object]]
        for (place, text) in [object.text(), wrapped.text()].enumerated() {
            let file = try folder.write(text, to: "request-\(place).json")
            let inspection = await Invocation.run("oid4vp", "inspect", file, "--json")
            #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
            let report = try JSONValue(parsing: inspection.output)
            let clients = report["signatures"]?.arrayValue?.map { $0["client"]?.stringValue?.prefix(9) }
            #expect(clients == ["x509_hash", "decentral"])
            #expect(report["version"] == "1.0" && report["nonce"] == "abc")
            // Each breach counts once, whichever of the signatures has it.
            let breaches = report["deviationsFromHAIP"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(breaches.count { $0.contains("haip.responseMode") } == 1)
            #expect(breaches.count { $0.contains("haip.clientIdentifier") } == 1, "of the second client alone")
        }
    }

    @Test func refusesAClientInThePayloadOfAMultiSignedRequest() async throws {
        let object = try await Self.multiSigned(["client_id": "x509_hash:a"])
        let folder = try TemporaryFolder()
        let inspection = await Invocation.run("oid4vp", "inspect", try folder.write(object.text(), to: "request.json"))
        #expect(inspection.status == 1, "\(inspection.errors)")
        #expect(inspection.output.contains("client_id belongs to each signature's protected header"))
        #expect(inspection.output.contains("error response: invalid_request"))
    }

    @Test func showsTheReferenceAndFetchesNothing() async {
        let url = Self.url([
            ("client_id", "x509_san_dns:v.example"), ("request_uri", "https://v.example/r"),
            ("request_uri_method", "post"),
        ])
        let inspection = await Invocation.run("oid4vp", "inspect", url)
        #expect(inspection.status == 0, "\(inspection.errors)\(inspection.output)")
        #expect(inspection.output.contains("request_uri: https://v.example/r"))
        #expect(inspection.output.contains("request_uri_method: post"))
    }

    @Test func refusesARequestThatNoToleranceLetsPass() async {
        let parameters = Self.unsigned.filter { $0.0 != "nonce" }
        let inspection = await Invocation.run("oid4vp", "inspect", Self.url(parameters))
        #expect(inspection.status == 1, "\(inspection.errors)\(inspection.output)")
        #expect(inspection.output.contains("error response: invalid_request"))
        #expect(inspection.output.contains("nonce"))
    }

    @Test func textOfTheRequestForgesNoLine() async {
        let url = Self.url(Self.unsigned + [("state", "a\nversion: 9\u{1b}[2J")])
        let inspection = await Invocation.run("oid4vp", "inspect", url)
        #expect(!inspection.output.contains("\nversion: 9"))
        #expect(!inspection.output.contains("\u{1b}"))
    }

    @Test(arguments: ["hello", "{}", "openid4vp://authorize?x=%zz"]) func namesAnUnreadableInput(
        text: String
    ) async throws {
        let file = try TemporaryFolder().write(text, to: "input")
        let inspection = await Invocation.run("oid4vp", "inspect", text.contains("?") ? text : file)
        #expect(inspection.status != 0)
        #expect(!inspection.errors.isEmpty || inspection.output.contains("error"))
    }
}
