import CommandTesting
import CredentialTesting
import CredentialTool
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import StatusListKit
import Testing

/// A verifier and a wallet in the files of a folder, with a credential of every format.
struct OID4VPScene {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let host = "v.example"
    static let address = "https://v.example/response"
    static let statusURI = "https://issuer.example/lists/1"

    let folder: TemporaryFolder
    private let issuer: PrivateKey
    private let holder: PrivateKey
    private let linkedDataHolder: PrivateKey

    /// A credential by its file, with the query for it.
    enum Credential: String, CaseIterable {
        case mdoc, sdJWT, linkedData, token

        var query: JSONValue {
            let (format, meta, path): (JSONValue, JSONValue, JSONValue) =
                switch self {
                case .mdoc:
                    (
                        "mso_mdoc", ["doctype_value": "org.iso.18013.5.1.mDL"],
                        ["org.iso.18013.5.1", "family_name"]
                    )
                case .sdJWT: ("dc+sd-jwt", ["vct_values": ["urn:pid"]], ["family_name"])
                case .linkedData:
                    ("ldp_vc", ["type_values": [["https://club.example/Member"]]], ["credentialSubject", "level"])
                case .token:
                    ("jwt_vc_json", ["type_values": [["https://club.example/Member"]]], ["credentialSubject", "level"])
                }
            return ["credentials": [["id": "q", "format": format, "meta": meta, "claims": [["path": path]]]]]
        }

        /// The claim that is asked for, as output shows it.
        var claim: String {
            switch self {
            case .mdoc, .sdJWT: "family_name: Lovelace"
            case .linkedData, .token: "level: gold"
            }
        }
    }

    /// - Parameter statusIndex: The place of the SD-JWT in a status list; nil for a credential that cannot be revoked.
    init(statusIndex: Int? = nil) async throws {
        folder = try TemporaryFolder()
        issuer = try PrivateKey.generate(.p256)
        holder = try PrivateKey.generate(.p256)
        linkedDataHolder = try PrivateKey.generate(.ed25519)
        try folder.write(issuer.pem, to: "issuer-key.pem")
        try folder.write(issuer.publicKey.pem, to: "issuer.pem")
        try folder.write(holder.pem, to: "holder.pem")
        try folder.write(linkedDataHolder.pem, to: "holder-ed25519.pem")
        try await writeMdoc()
        try await writeSDJWT(statusIndex)
        try await writeLinkedData()
        try await writeToken()
        try await writeVerifier()
    }

    var issuerDID: String { get throws { try DID.key(issuer.publicKey).text } }

    // MARK: Credentials

    private func run(_ arguments: [String], to file: String) async throws {
        let invocation = await Invocation.run(arguments: arguments, now: Self.now)
        try #require(invocation.status == 0, "\(invocation.errors)")
        try folder.write(invocation.output, to: file)
    }

    private func writeMdoc() async throws {
        let pki = try await MdocTestPKI.make(at: Self.now)
        try await writeMdoc(by: pki, signer: pki.documentSigner)
    }

    /// - Parameter signer: The certificate of the document signer's key.
    func writeMdoc(by pki: MdocTestPKI, signer: Certificate) async throws {
        try folder.write(pki.iaca.certificate.pem, to: "iaca.pem")
        try folder.write(signer.pem, to: "signer.pem")
        try folder.write(pki.documentSignerKey.pem, to: "signer-key.pem")
        let claims = """
            {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": "Lovelace",
             "given_name": "Ada"}}}
            """
        try await run(
            [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("signer-key.pem"),
                "--issuer-certificate", folder.path("signer.pem"), "--device-key", folder.path("holder.pem"),
            ],
            to: Credential.mdoc.rawValue
        )
    }

    func writeSDJWT(
        _ statusIndex: Int? = nil,
        familyName: String = "Lovelace",
        holderKey: String = "holder.pem",
        to file: String = Credential.sdJWT.rawValue
    ) async throws {
        var claims: JSONObject = ["given_name": "Ada", "family_name": .string(familyName)]
        if let statusIndex {
            claims["status"] = ["status_list": ["idx": .integer(statusIndex), "uri": .string(Self.statusURI)]]
        }
        try await run(
            [
                "sdjwt", "issue", try folder.write(JSONValue.object(claims).text(), to: "claims.json"), "--issuer-key",
                folder.path("issuer-key.pem"), "--credential-type", "urn:pid", "--holder-key",
                folder.path(holderKey),
                "--conceal", "given_name", "--conceal", "family_name",
            ],
            to: file
        )
    }

    private static let terms: JSONValue = [
        "Member": "https://club.example/Member", "level": "https://club.example/level",
        "note": "https://club.example/note",
    ]

    private static let contextURL = "https://club.example/context"

    /// The option with the context of the linked-data credential: its proof covers no names that the document defines itself.
    var context: [String] { ["--context", "\(Self.contextURL)=\(folder.path("context.jsonld"))"] }

    private func content(_ contexts: [JSONValue], _ others: JSONObject = [:]) throws -> JSONObject {
        var subject: JSONObject = ["id": .string(try DID.key(linkedDataHolder.publicKey).text), "level": "gold"]
        for (name, value) in others { subject[name] = value }
        return [
            "@context": .array(["https://www.w3.org/2018/credentials/v1"] + contexts),
            "type": ["VerifiableCredential", "Member"], "issuer": .string(try issuerDID),
            "issuanceDate": "2027-01-01T00:00:00Z",
            "credentialSubject": .object(subject),
        ]
    }

    /// - Parameters:
    ///   - contexts: Further contexts.
    ///   - others: Further claims about the subject.
    func writeLinkedData(
        suite: String = "ecdsa-rdfc-2019",
        contexts: [JSONValue] = [],
        _ others: JSONObject = [:]
    ) async throws {
        let terms = JSONValue.object(["@context": Self.terms])
        try folder.write(terms.text(), to: "context.jsonld")
        let own: [JSONValue] = ["https://w3id.org/security/data-integrity/v2", .string(Self.contextURL)]
        let members = try content(own + contexts, others)
        let vocabularies = contexts.compactMap { $0["@vocab"]?.stringValue }.flatMap { ["--vocabulary", $0] }
        try await run(
            [
                "ld", "sign", try folder.write(JSONValue.object(members).text(), to: "claims.json"), "--key",
                folder.path("issuer-key.pem"), "--suite", suite,
            ] + vocabularies + context,
            to: Credential.linkedData.rawValue
        )
    }

    /// A token for a did:jwk of the P-256 key whose members are in another order than this project writes them.
    func writeTokenForJWKHolder() async throws {
        let jwk = try JWK(holder.publicKey)
        let members = ["y", "x", "kty", "crv"].map { (name: $0, value: jwk.members[$0] ?? .null) }
        try await writeToken(subject: "did:jwk:\(Base64URL.encode(JSONValue.object(JSONObject(members)).encoded()))")
    }

    /// - Parameter subject: The holder; nil for the Ed25519 key.
    private func writeToken(subject: String? = nil) async throws {
        let did = try DID.key(issuer.publicKey)
        let members = try content([Self.terms], subject.map { ["id": .string($0)] } ?? [:])
        let claims: JSONObject = [
            "iss": .string(did.text), "sub": members["credentialSubject"]?["id"] ?? .null, "nbf": 1_798_761_600,
            "vc": .object(members),
        ]
        let token = try await JWT.sign(
            JWTClaims(claims),
            header: JOSEHeader(type: "JWT", keyID: "\(did.text)#\(did.identifier)"),
            with: SoftwareSigner(issuer)
        )
        try folder.write(token.compactSerialization(), to: Credential.token.rawValue)
    }

    /// A list whose first entries are valid, invalid and suspended.
    func statusList() async throws -> String {
        var list = try StatusList(count: 16, bits: .two)
        try list.set(.invalid, at: 1)
        try list.set(.suspended, at: 2)
        let content = try StatusListContent(uri: Self.statusURI, list: list, issuedAt: Self.now - 60)
        let token = try await content.signedJWT(with: SoftwareSigner(issuer))
        return try folder.write(String(decoding: token.encodedBytes, as: UTF8.self), to: "list.jwt")
    }

    // MARK: Verifier

    private func writeVerifier() async throws {
        let key = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        let signer = try PrivateKey.generate(.p256)
        let validity = Self.now - 86_400...Self.now + 86_400
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Verifier root"),
            signer: key,
            validity: validity
        )
        let builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: Self.host),
            publicKey: signer.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns(Self.host)])]
        )
        try folder.write(root.certificate.pem, to: "verifier-root.pem")
        try folder.write(try await builder.issued(by: root).pem, to: "verifier.pem")
        try folder.write(signer.pem, to: "verifier-key.pem")
    }

    /// The options of a client with a certificate.
    func certified(_ client: String) -> [String] {
        [
            "--client", client, "--key", folder.path("verifier-key.pem"), "--certificate", folder.path("verifier.pem"),
        ]
    }

    // MARK: Commands

    /// Makes a request, whose transaction and URL stand in files.
    @discardableResult
    func request(_ query: JSONValue, _ options: [String], at time: Date = now) async throws -> Invocation {
        let file = try folder.write(query.text(), to: "query.json")
        let invocation = await Invocation.run(
            arguments: ["oid4vp", "request", file, "--transaction", folder.path("transaction.json"), "--force"]
                + options,
            now: time
        )
        try folder.write(invocation.output, to: "request.txt")
        return invocation
    }

    /// Answers the request in the file with all credentials; the answer stands in a file.
    func present(_ options: [String] = ["--yes"], typing input: [String] = [], at time: Date = now) async -> Invocation
    {
        var arguments = [
            "oid4vp", "present", folder.path("request.txt"), "--output", folder.path("answer.json"), "--force",
        ]
        for credential in Credential.allCases { arguments += ["--credential", folder.path(credential.rawValue)] }
        for key in ["holder.pem", "holder-ed25519.pem"] { arguments += ["--holder-key", folder.path(key)] }
        return await Invocation.run(CredentialTool.self, arguments + context + options, input: input, now: time)
    }

    /// Answers the request in the file from a wallet of `credential wallet`; the answer stands in a file.
    func presentFromWallet(
        _ options: [String] = [],
        typing input: [String] = ["y"],
        to file: String = "answer.json"
    ) async -> Invocation {
        let arguments =
            [
                "oid4vp", "present", folder.path("request.txt"), "--wallet", folder.path("wallet"), "--wallet-key",
                folder.path("wallet.key"), "--output", folder.path(file), "--force",
            ] + options
        return await Invocation.run(CredentialTool.self, arguments, input: input, now: Self.now)
    }

    /// Makes a wallet of `credential wallet` with the mdoc and copies of the SD-JWT, each of which may be presented once.
    func makeWallet(sdJWTs count: Int = 1) async throws {
        var copies = [Credential.sdJWT.rawValue]
        for number in 1..<count {
            copies.append("\(Credential.sdJWT.rawValue)-\(number)")
            try await writeSDJWT(nil, to: copies[number])
        }
        let wallet = folder.path("wallet")
        let key = folder.path("wallet.key")
        let commands = [
            ["init", wallet, "--wallet-key", key],
            [
                "add", wallet, folder.path(Credential.mdoc.rawValue), "--wallet-key", key, "--device-key",
                folder.path("holder.pem"), "--trust", folder.path("iaca.pem"), "--rotation", "once",
            ],
        ]
        for command in commands { try await runWallet(command) }
        try await addToWallet(copies, keys: ["holder.pem"])
    }

    /// Adds copies of an SD-JWT to the wallet, as one credential of which each copy may be presented once.
    ///
    /// - Parameter keys: The file of the key of all copies, or of each.
    func addToWallet(_ copies: [String], keys: [String]) async throws {
        try await runWallet(
            ["add", folder.path("wallet")] + copies.map { folder.path($0) }
                + keys.flatMap { ["--device-key", folder.path($0)] } + [
                    "--wallet-key", folder.path("wallet.key"), "--issuer-key", folder.path("issuer.pem"), "--rotation",
                    "once",
                ]
        )
    }

    private func runWallet(_ command: [String]) async throws {
        let invocation = await Invocation.run(arguments: ["wallet"] + command, now: Self.now)
        try #require(invocation.status == 0, "\(invocation.errors)")
    }

    /// Changes parameters of the request in the file, which is in a URL and not signed.
    func changeRequest(_ parameters: [String: JSONValue]) throws {
        let url = try text(of: "request.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        var components = try #require(URLComponents(string: url))
        var items = (components.queryItems ?? []).filter { parameters[$0.name] == nil }
        items += parameters.map { URLQueryItem(name: $0.key, value: $0.value.stringValue ?? $0.value.text(.compact)) }
        components.queryItems = items
        // In a query, a plus sign stands for a space.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
        try folder.write(try #require(components.string), to: "request.txt")
    }

    /// Verifies the answer in the file.
    func verify(_ options: [String] = [], at time: Date = now) async throws -> Invocation {
        await Invocation.run(
            arguments: [
                "oid4vp", "verify", folder.path("answer.json"), "--transaction", folder.path("transaction.json"),
                "--trust", folder.path("iaca.pem"), "--issuer-key", folder.path("issuer.pem"), "--trust-issuer",
                try issuerDID,
            ] + context + options,
            now: time
        )
    }

    func text(of file: String) throws -> String { try String(contentsOfFile: folder.path(file), encoding: .utf8) }
}
