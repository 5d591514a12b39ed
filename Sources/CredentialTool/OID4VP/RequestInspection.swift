import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPMessages

/// A request that is read with every tolerance, so that all of its deviations are found.
struct RequestInspection {
    /// The parts of the report, in their order.
    private var members: [(name: String, value: Outline)] = []
    /// The deviations from the request's version.
    private var deviations: [Deviation] = []
    /// The breaches of HAIP's rules.
    private var breaches: [Deviation] = []
    /// Indicates that the request breaks a rule that no tolerance lets pass.
    private(set) var isUnreadable = false

    /// The signature of a request object, as far as it is read.
    private struct Signature {
        let header: JOSEHeader
        let algorithm: JWSAlgorithm?
        let certificates: [Certificate]

        init(_ header: JOSEHeader) {
            self.header = header
            algorithm = try? header.signatureAlgorithm()
            let chain = (try? header.certificateChain() ?? []) ?? []
            certificates = chain.compactMap { try? Certificate(der: $0) }
        }

        /// The parts of the report about the signature.
        var members: [(name: String, value: Outline)] {
            let members: [(String, Outline?)] = [
                ("algorithm", header["alg"]?.stringValue.map { .verbatim($0) }),
                ("type", header["typ"]?.stringValue.map { .verbatim($0) }),
                ("certificates", certificates.isEmpty ? nil : .list(certificates.map { .text("\($0.subject)") })),
            ]
            return members.compactMap { name, value in value.map { (name: name, value: $0) } }
        }
    }

    /// Reads a request in any of its forms.
    ///
    /// - Throws: ``ToolError`` if the text is not a request at all.
    init(of text: String) throws(ToolError) {
        if OID4VPInspectCommand.isURL(text) {
            try read(url: text)
        } else if text.hasPrefix("{") {
            try read(json: text)
        } else {
            try read(object: text, channel: .redirects, isByReference: true)
        }
    }

    /// The report.
    var outline: Outline {
        .labeled(
            members + [
                (name: "deviations from its version", value: Self.list(deviations)),
                (name: "deviations from HAIP", value: Self.list(breaches)),
            ]
        )
    }

    private static func list(_ deviations: [Deviation]) -> Outline {
        deviations.isEmpty ? .text("none") : .list(deviations.map { .text("\($0)") })
    }

    private mutating func add(_ name: String, _ value: Outline?) {
        if let value { members.append((name: name, value: value)) }
    }

    // MARK: Forms

    private mutating func read(url: String) throws(ToolError) {
        let request = try Self.reading("request URL") { try AuthorizationRequest(url: url, options: .deployed) }
        deviations += request.deviations
        switch request.form {
        case .parameters(let parameters):
            add("form", "parameters in the URL, not signed")
            read(parameters, channel: .redirects, nil, isByReference: false)
        case .object(let object):
            try read(object: object, channel: .redirects, isByReference: false)
        case .reference(let reference):
            add("form", "by reference: the request object is not fetched")
            add("client", .verbatim(request.clientID))
            add("scheme", request.clientIDScheme.map { .verbatim($0) })
            add("request_uri", .verbatim("\(reference.url)"))
            add("request_uri_method", .text(reference.method == .post ? "post" : "get"))
        }
    }

    private mutating func read(json text: String) throws(ToolError) {
        let value = try Self.reading("JSON") { try JSONValue(parsing: text) }
        guard let object = value.objectValue else { throw ToolError("the request is no JSON object") }
        // The object that a page hands to the Digital Credentials API has the data of the request inside.
        let data = object["data"]?.objectValue ?? object
        if let request = data["request"]?.objectValue ?? (data["signatures"] == nil ? nil : data) {
            return try read(signatures: request)
        }
        if let request = data["request"]?.stringValue {
            return try read(object: request, channel: .digitalCredentials, isByReference: false)
        }
        let isPlatform = data["response_mode"]?.stringValue?.contains("dc_api") == true
        add("form", "parameters, not signed")
        read(
            AuthorizationParameters(data),
            channel: isPlatform ? .digitalCredentials : .redirects,
            nil,
            isByReference: false
        )
    }

    private mutating func read(
        object text: String,
        channel: ResponseTarget.Channel,
        isByReference: Bool
    ) throws(ToolError) {
        let object = try Self.reading("request object") { try JWT(compact: text) }
        let header = try Self.reading("request object") { try object.unverifiedHeader() }
        let payload = try Self.reading("request object") {
            try JSONValue(parsing: object.jws.unverifiedPayload ?? []).objectValue ?? [:]
        }
        let signature = Signature(header)
        add("form", "request object, signature not verified")
        members += signature.members
        let isPlatform = payload["response_mode"]?.stringValue?.contains("dc_api") == true
        read(
            AuthorizationParameters(payload),
            channel: isPlatform ? .digitalCredentials : channel,
            signature,
            isByReference: isByReference
        )
    }

    // MARK: Several signatures

    /// Reads a request over the Digital Credentials API with several signatures, each with a client of its own (OpenID4VP 1.0,
    /// appendix A.3.2).
    private mutating func read(signatures object: JSONObject) throws(ToolError) {
        let jws = try Self.reading("request with several signatures") {
            try JWS(json: JSONValue.object(object).encoded())
        }
        let payload = try Self.reading("request with several signatures") {
            try JSONValue(parsing: jws.unverifiedPayload ?? []).objectValue ?? [:]
        }
        let signatures = jws.signatures.map { Signature($0.protectedHeader) }
        add("form", .text("request object with \(signatures.count) signatures, not verified"))
        add("signatures", .list(signatures.map(Self.outline)))
        let misplaced = Self.ofEachSignature.filter { payload.contains($0) }
        guard misplaced.isEmpty else {
            isUnreadable = true
            add("error", .text("\(misplaced.joined(separator: ", ")) belongs to each signature's protected header"))
            return add("error response", .text(AuthorizationErrorCode.invalidRequest.text))
        }
        for (place, signature) in signatures.enumerated() {
            var one = Self()
            one.read(Self.parameters(payload, signature), channel: .digitalCredentials, signature, isByReference: false)
            isUnreadable = isUnreadable || one.isUnreadable
            // All but the client is the same for each of them.
            members += one.members.filter { name, _ in
                place == 0 ? !name.hasPrefix("client") : name.hasPrefix("error")
            }
            deviations += one.deviations.filter { !deviations.contains($0) }
            breaches += one.breaches.filter { !breaches.contains($0) }
        }
    }

    /// The parameters that stand in the protected header of each signature.
    private static let ofEachSignature = ["client_id", "verifier_info"]

    private static func parameters(_ payload: JSONObject, _ signature: Signature) -> AuthorizationParameters {
        var parameters = payload
        for name in ofEachSignature { parameters[name] = signature.header[name] }
        return AuthorizationParameters(parameters)
    }

    private static func outline(_ signature: Signature) -> Outline {
        let client = signature.header["client_id"]?.stringValue
        let members: [(name: String, value: Outline)] = client.map { [("client", .verbatim($0))] } ?? []
        return .labeled(members + signature.members)
    }

    private init() {}

    // MARK: Parameters

    private mutating func read(
        _ parameters: AuthorizationParameters,
        channel: ResponseTarget.Channel,
        _ signature: Signature?,
        isByReference: Bool
    ) {
        let options = RequestReadingOptions.deployed
        do throws(OID4VPError) {
            let parameters = try counting(parameters, isSigned: signature != nil, channel, options)
            let version = try OpenID4VPVersion(of: parameters)
            add("version", .text(version.name))
            let client = try parameters.text("client_id").map { text throws(OID4VPError) in
                try ClientIdentifier(text, scheme: try parameters.text("client_id_scheme"))
            }
            add("client", client.map { .verbatim($0.text.text) })
            add("client identifier prefix", client.map { .verbatim($0.prefix.text) })
            if let client, version == .v1 { try check(client, options) }
            let target = try ResponseTarget(
                parameters,
                version: version,
                client: client,
                channel: channel,
                options: options,
                deviations: &deviations
            )
            add("response mode", .verbatim(target.mode.text))
            add("response address", target.address.map { .verbatim($0) })
            breaches += PresentationProfile.haip.deviations(
                of: RequestTraits(
                    version: version,
                    clientRule: client?.rule,
                    channel: channel,
                    responseMode: target.mode,
                    isByReference: isByReference,
                    algorithm: signature?.algorithm,
                    certificates: signature?.certificates ?? []
                )
            )
            let request = try PresentationRequest(
                parameters,
                version: version,
                target: target,
                support: PresentationRequest.Support(transactionData: Self.transactionTypes(in: parameters)),
                options: options
            )
            add(request)
            if let signature { try check(signature, parameters, version, channel, options) }
        } catch {
            isUnreadable = true
            add("error", .text("\(error)"))
            add("error response", .text(error.authorizationCode.text))
            add("parameters", .json(.object(parameters.members)))
        }
    }

    /// The parameters that count: without nulls, and without the client of a request over the Digital Credentials API that is not
    /// signed (OpenID4VP 1.0, appendix A.2).
    private mutating func counting(
        _ parameters: AuthorizationParameters,
        isSigned: Bool,
        _ channel: ResponseTarget.Channel,
        _ options: RequestReadingOptions
    ) throws(OID4VPError) -> AuthorizationParameters {
        var members = parameters.members
        if isSigned || channel == .digitalCredentials {
            for (name, value) in parameters.members where value == .null {
                members[name] = nil
                try options.tolerate(.nullParameters, at: [name], &deviations)
            }
        }
        if isSigned {
            for name in ["request", "request_uri"] where members.contains(name) {
                try options.tolerate(.requestInsideObject, at: [name], &deviations)
            }
        } else if channel == .digitalCredentials, let client = members["client_id"] {
            for name in ["client_id", "client_id_scheme"] { members[name] = nil }
            add("ignored client", client.stringValue.map { .verbatim($0) } ?? .json(client))
        }
        return AuthorizationParameters(members)
    }

    /// Notes the identifiers of drafts in a request of 1.0.
    private mutating func check(
        _ client: ClientIdentifier,
        _ options: RequestReadingOptions
    ) throws(OID4VPError) {
        let place = ["client_id"]
        switch client.rule {
        case .x509SANURI: try options.tolerate(.removedPrefix, at: place, &deviations)
        case .decentralizedIdentifier where client.prefix == "did":
            try options.tolerate(.bareDID, at: place, &deviations)
        case .federation where client.prefix == "https": try options.tolerate(.bareEntity, at: place, &deviations)
        default: return
        }
    }

    /// Notes the type and the audience of a request object.
    private mutating func check(
        _ signature: Signature,
        _ parameters: AuthorizationParameters,
        _ version: OpenID4VPVersion,
        _ channel: ResponseTarget.Channel,
        _ options: RequestReadingOptions
    ) throws(OID4VPError) {
        if let audience = parameters.members["aud"] {
            add("audience", audience.stringValue.map { .verbatim($0) } ?? .json(audience))
        } else if version == .v1, channel == .redirects {
            try options.tolerate(.missingAudience, at: ["aud"], &deviations)
        }
        let type = signature.header["typ"]?.stringValue?.lowercased()
        switch type.map({ $0.hasPrefix("application/") ? String($0.dropFirst("application/".count)) : $0 }) {
        case "oauth-authz-req+jwt": return
        case nil, "jwt":
            // Drafts before 24 do not demand the type.
            if version == .v1 { try options.tolerate(.missingObjectType, at: ["typ"], &deviations) }
        default: throw OID4VPError(.malformed, "the type is not oauth-authz-req+jwt", path: ["typ"])
        }
    }

    private mutating func add(_ request: PresentationRequest) {
        deviations += request.deviations
        breaches += PresentationProfile.haip.deviations(of: request)
        add("nonce", .verbatim(request.nonce))
        add("state", request.state.map { .verbatim($0) })
        switch request.query {
        case .dcql(let query): add("DCQL query", .json(query.json))
        case .definition: add("presentation definition", "Presentation Exchange")
        case .definitionReference(let url): add("presentation definition", .verbatim("\(url)"))
        case .scope(let scope): add("scope", .verbatim(scope))
        }
        add("encryption", request.encryption.map { .text("\($0.algorithm.rawValue), \($0.encryption.rawValue)") })
        let transactions = request.transactionData
        add("transaction data", transactions.isEmpty ? nil : .list(transactions.map { .json(.object($0.members)) }))
        let statements = request.verifierInfo
        add("verifier info", statements.isEmpty ? nil : .list(statements.map { .verbatim($0.format.text) }))
    }

    /// The types of the transactions in a request, which a wallet would have to know.
    private static func transactionTypes(in parameters: AuthorizationParameters) -> TransactionDataTypes {
        let entries = (try? parameters.value("transaction_data"))??.arrayValue ?? []
        var types: [ExactText: Set<ExactText>] = [:]
        for entry in entries {
            guard let bytes = try? Base64URL.decode(entry.stringValue ?? ""),
                let members = (try? JSONValue(parsing: bytes))?.objectValue,
                let type = members["type"]?.stringValue
            else { continue }
            types[ExactText(type), default: []].formUnion(members.names.map { ExactText($0) })
        }
        return TransactionDataTypes(types)
    }

    private static func reading<Value>(_ form: String, _ body: () throws -> Value) throws(ToolError) -> Value {
        do {
            return try body()
        } catch {
            throw ToolError("this is no readable \(form): \(error)")
        }
    }
}

extension OpenID4VPVersion {
    /// The version in words.
    fileprivate var name: String {
        switch self {
        case .draft21: "draft 21"
        case .draft23: "drafts 22 to 25, with Presentation Exchange"
        case .v1: "1.0"
        }
    }
}
