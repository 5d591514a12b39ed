import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

/// The surroundings of a vector: settings of the wallet, and what its requests are answered.
struct VectorContext {
    let json: JSONValue
    let certificates: JSONObject

    var time: Date {
        Date(timeIntervalSince1970: (try? json["now"]?.numberValue?.double()) ?? 0)
    }

    func policy() throws -> RequestAuthenticationPolicy {
        var policy = RequestAuthenticationPolicy()
        // The clocks of the vectors agree to the second.
        policy.clockSkew = 0
        policy.clients = try (json["pre_registered"]?.arrayValue ?? []).map { client in
            RegisteredClient(
                id: ExactText(client["client_id"]?.stringValue ?? ""),
                responseAddresses: Set(
                    (client["redirect_uris"]?.arrayValue ?? []).compactMap(\.stringValue).map(ExactText.init)
                ),
                keys: try client["jwks"].map { try JWKSet(json: $0) } ?? JWKSet([]),
                allowsUnsignedRequests: client["allow_unsigned"]?.boolValue ?? false
            )
        }
        let anchors = try (json["trust_anchors"]?.arrayValue ?? []).map { name in
            let text = try #require(certificates[name.stringValue ?? ""]?.stringValue)
            return try Certificate(der: try #require(Data(base64Encoded: text)))
        }
        policy.certificates = CertificatePathValidator(anchors: anchors, policy: .requestSigner)
        for attester in json["attesters"]?.arrayValue ?? [] {
            let issuer = ExactText(attester["iss"]?.stringValue ?? "")
            policy.attesters[issuer] = try attester["jwks"].map { try JWKSet(json: $0) }
        }
        let free = (json["trusted_client_ids"]?.arrayValue ?? []).compactMap(\.stringValue)
        policy.clientsWithFreeAddress = Set(free.map(ExactText.init))
        policy.resolver = VectorResolver(documents: json["did_documents"]?.objectValue ?? [:])
        return policy
    }

    var support: PresentationRequest.Support {
        var types: [ExactText: Set<ExactText>] = [:]
        for (name, members) in json["transaction_data_types"]?.objectValue ?? [:] {
            types[ExactText(name)] = Set((members.arrayValue ?? []).compactMap(\.stringValue).map(ExactText.init))
        }
        // The wallet of the vectors knows these content encryptions.
        return PresentationRequest.Support(
            encryption: EncryptionSupport(
                algorithms: EncryptionSupport.default.algorithms,
                encryptions: [.a128GCM, .a256GCM, .a128CBC_HS256]
            ),
            transactionData: TransactionDataTypes(types)
        )
    }
}

/// The documents of a vector, and those that DIDs make themselves.
struct VectorResolver: DIDResolver {
    let documents: JSONObject

    func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        guard let members = documents[did.text]?.objectValue else {
            return try await DIDMethods.local.document(of: did, at: time)
        }
        return try DIDDocument(json: members, of: did)
    }
}

/// A transport that answers as a vector says, and nothing else.
func transport(for fetch: JSONValue?) -> InMemoryHTTPTransport {
    InMemoryHTTPTransport { request throws(TransportError) in
        guard let fetch, request.url.description == fetch["url"]?.stringValue,
            (request.body.isEmpty ? "GET" : "POST") == fetch["method"]?.stringValue
        else { return InMemoryHTTPAnswer(status: 404) }
        let status = (try? fetch["status"]?.numberValue?.integer(as: Int.self)) ?? 500
        if let location = fetch["location"]?.stringValue { return .redirect(to: location) }
        guard status == 200 else { return InMemoryHTTPAnswer(status: status) }
        return .ok(
            Array((fetch["body"]?.stringValue ?? "").utf8),
            type: try MediaType(fetch["content_type"]?.stringValue ?? "text/plain")
        )
    }
}
