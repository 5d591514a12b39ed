import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenID4VP {
    /// Prepares the presentations of some credentials for signatures.
    ///
    /// - Parameters:
    ///   - credentials: The credentials by descriptor or query, and by format.
    ///   - holderId: The name of the holder's key for linked-data presentations.
    ///   - signatureSuite: The proof suite for linked-data presentations.
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    func construct(
        _ credentials: [String: [FormatType: [CredentialValue]]],
        holderId: String?,
        signatureSuite: String?
    ) async throws -> Construction {
        let (number, session) = state.withLock { ($0.number, $0.session) }
        guard let session else {
            throw InvalidData(message: "No request has been authenticated", className: Self.className)
        }
        do {
            guard !credentials.isEmpty else {
                throw InvalidData(
                    message: "The Wallet did not have credentials to share based on given Presentation Definition",
                    className: Self.className
                )
            }
            let time = settings.clock()
            let items = try items(credentials, session.content, at: time)
            let keys = try await keys(for: items, holderId, signatureSuite)
            var options = settings.presentations
            options.leavesProofsToCaller = settings.ldpDataToSign == .presentationJSON
            options.resolver = resolver
            let binding = try PresentationBinding(
                session.authenticated,
                session.content,
                mdocGeneratedNonce: session.responder.mdocGeneratedNonce
            )
            let unsigned = try await PresentationBuilder(session.content, binding, options: options)
                .prepare(items, keys: keys, at: time, using: settings.random)
            let construction = Construction(unsigned)
            try requireDistinctDocuments(construction)
            try requireCompleteness(Set(items.map(\.query)), session.content.query)
            update(number) { $0.session?.construction = construction }
            return construction
        } catch {
            let exception = exception(error)
            await report(exception, with: session.responder)
            throw exception
        }
    }

    private func requireDistinctDocuments(_ construction: Construction) throws {
        let types = construction.entries(of: .mso_mdoc).compactMap(\.docType)
        guard Set(types).count == types.count else {
            throw InvalidData(message: "Duplicate Mdoc Credentials with same doctype found", className: Self.className)
        }
    }

    /// Refuses a part of what is required, of which a wallet returns nothing.
    private func requireCompleteness(_ answered: Set<QueryID>, _ query: PresentationRequest.Query) throws {
        let isComplete =
            switch query {
            case .dcql(let query): query.isSatisfied(by: answered)
            case .definition(let definition): definition.isSatisfied(by: answered)
            case .definitionReference, .scope: false
            }
        guard isComplete else {
            throw AccessDenied(
                message: "The credentials do not answer all that the request requires",
                className: Self.className
            )
        }
    }

    // MARK: Credentials

    private func items(
        _ credentials: [String: [FormatType: [CredentialValue]]],
        _ content: PresentationRequest,
        at time: Date
    ) throws -> [PresentationItem] {
        let order = content.query.dcql?.credentials.map(\.id) ?? content.query.definition?.descriptors.map(\.id) ?? []
        let unknown = credentials.keys.first { key in !order.contains(QueryID(key)) }
        guard unknown == nil else {
            throw InvalidData(
                message: "The request has no input descriptor \(unknown ?? "")",
                className: Self.className
            )
        }
        var names: [String: CredentialName] = [:]
        var items: [PresentationItem] = []
        for query in order {
            let formats = credentials.first { QueryID($0.key) == query }?.value ?? [:]
            for (format, values) in formats.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                for value in values {
                    let key = format.rawValue + " " + value.identity
                    let name = names[key] ?? CredentialName("\(format.rawValue)-\(names.count)")
                    names[key] = name
                    // A credential that answers several descriptors is presented once.
                    let shared = order.filter { other in
                        credentials.first { QueryID($0.key) == other }?.value[format]?.contains(value) == true
                    }
                    items.append(
                        PresentationItem(
                            query: query,
                            credential: name,
                            format: format.credentialFormat,
                            content: try self.content(
                                of: value,
                                format,
                                query,
                                content.query.definition == nil ? [query] : shared,
                                content.query,
                                at: time
                            )
                        )
                    )
                }
            }
        }
        return items
    }

    /// The credential, reduced to what leaves the wallet.
    ///
    /// - Parameters:
    ///   - query: The query that it answers.
    ///   - shared: The queries that one presentation of a linked-data credential answers.
    ///   - time: The time at which the credential must be valid.
    private func content(
        of value: CredentialValue,
        _ format: FormatType,
        _ query: QueryID,
        _ shared: [QueryID],
        _ queries: PresentationRequest.Query,
        at time: Date
    ) throws -> PresentationItem.Content {
        switch format {
        case .ldp_vc:
            let credential = try value.linkedData()
            try require(CredentialValidity(members: credential.unverifiedMembers()), of: format, at: time)
            return .w3c(try disclosed(credential, shared, queries, at: time))
        case .vc_sd_jwt, .dc_sd_jwt:
            let sdJWT = try value.sdJWT(format)
            try require(JWTClaims(CredentialValue.claims(of: sdJWT, format)).validity, of: format, at: time)
            // The app has chosen the Disclosures.
            return .sdJWT(sdJWT)
        case .mso_mdoc:
            let issuerSigned = try value.mdoc()
            let credential = MdocCredential(StoredMdoc(id: query.description, issuerSigned: issuerSigned))
            try require(credential.validity, of: format, at: time)
            let claims =
                settings.mdocDisclosure == .all
                ? [[]] : try requestedClaims(of: credential, query, queries, at: time).disclosed
            return .mdoc(issuerSigned, credential.elements(at: claims))
        }
    }

    /// Refuses a credential that the verifier would refuse for its times, unless the settings present it all the same.
    private func require(_ validity: CredentialValidity, of format: FormatType, at time: Date) throws {
        guard !settings.presentsOutsideValidity else { return }
        try validity.require(at: time, for: format.credentialFormat)
    }

    /// A linked-data credential, of which a base proof stays in the wallet: what is asked for leaves with a derived one.
    private func disclosed(
        _ credential: VerifiableCredential,
        _ shared: [QueryID],
        _ queries: PresentationRequest.Query,
        at time: Date
    ) throws -> VerifiableCredential {
        guard case .linkedData(let document) = credential.form, document.proofs.contains(where: \.isBaseProof) else {
            return credential
        }
        let prover = settings.presentations.prover
        let own = try W3CCredential(
            name: "ldp_vc",
            credential,
            isHolderBound: true,
            using: prover.processor,
            options: prover.options
        )
        let requested = try shared.map { try requestedClaims(of: own, $0, queries, at: time) }
        return try own.presentation(
            disclosing: requested.flatMap(\.disclosed),
            askedFor: requested.flatMap(\.asked)
        )
    }

    /// The claims of a credential that a query asks for, and the paths as the query writes them.
    private func requestedClaims(
        of credential: some QueryableCredential,
        _ query: QueryID,
        _ queries: PresentationRequest.Query,
        at time: Date
    ) throws -> (disclosed: [ClaimPath], asked: [ClaimPath]) {
        let isAnyTime = settings.presentsOutsideValidity
        let tolerances = settings.reading.tolerances
        let result: QueryResult? =
            switch queries {
            case .dcql(let dcql):
                isAnyTime ? dcql.evaluate(over: [credential]) : dcql.evaluate(over: [credential], at: time)
            case .definition(let definition):
                isAnyTime
                    ? definition.evaluate(over: [credential], tolerances: tolerances)
                    : definition.evaluate(over: [credential], at: time, tolerances: tolerances)
            case .definitionReference, .scope: nil
            }
        if let match = result?[query]?.matches.first { return (match.disclosedPaths, match.askedPaths) }
        // The app has chosen it all the same.
        let claims = try claims(of: credential, withoutMatch: query, queries)
        return (claims, claims)
    }

    private func claims(
        of credential: some QueryableCredential,
        withoutMatch query: QueryID,
        _ queries: PresentationRequest.Query
    ) throws -> [ClaimPath] {
        switch queries {
        case .dcql(let dcql):
            // Never more than one option of the query (section 6.4.1).
            return dcql[query]?.firstOption(in: credential) ?? []
        case .definition(let definition):
            // Deployed definitions name descriptors otherwise than by the document type.
            let fields = definition.descriptors.first { $0.id == query }?.fields ?? []
            return try fields.flatMap { field throws(OID4VPError) -> [ClaimPath] in
                for path in field.paths {
                    let nodes = try path.nodes(in: .object(credential.claims))
                    if !nodes.isEmpty { return nodes.map(\.path) }
                }
                return []
            }
        case .definitionReference, .scope: return []
        }
    }

    // MARK: Keys

    private static let suites: [String: LinkedDataProofSuite] = [
        "JsonWebSignature2020": .jsonWebSignature2020, "Ed25519Signature2018": .ed25519Signature2018,
        "Ed25519Signature2020": .ed25519Signature2020, "RsaSignature2018": .rsaSignature2018,
    ]

    /// The holder of linked-data presentations.
    private func keys(
        for items: [PresentationItem],
        _ holderId: String?,
        _ signatureSuite: String?
    ) async throws -> HolderKeys {
        guard items.contains(where: { $0.format == .linkedData }) else { return HolderKeys() }
        guard let holderId, let signatureSuite else {
            throw InvalidData(
                message: "Holder ID and Signature Suite cannot be null for LDP VP construction",
                className: Self.className
            )
        }
        guard let suite = Self.suites[signatureSuite] else {
            throw InvalidData(message: "Unsupported signature suite \(signatureSuite)", className: Self.className)
        }
        do throws(DIDError) {
            let name = try keyName(holderId)
            let key =
                settings.ldpDataToSign == .presentationJSON
                ? nil : try await resolver.holderKey(named: name.text, at: settings.clock())
            return HolderKeys(holder: W3CHolder(name, key, suite))
        } catch {
            throw PublicKeyResolutionFailed(message: error.message, className: Self.className, cause: error)
        }
    }

    /// The name of the holder's key, completed if the settings say so.
    private func keyName(_ holderId: String) throws(DIDError) -> DIDURL {
        let url = try DIDURL(holderId)
        guard settings.completesHolderIds, url.fragment == nil, url.path.isEmpty, url.query == nil else { return url }
        switch url.did.method {
        case "key": return try DIDURL("\(url.did.text)#\(url.did.identifier)")
        case "jwk": return try DIDURL("\(url.did.text)#0")
        default: return url
        }
    }

    // MARK: Results

    /// The signatures to make, by format.
    func unsignedTokens(_ construction: Construction) throws -> [FormatType: any UnsignedVPToken] {
        var tokens: [FormatType: any UnsignedVPToken] = [:]
        for format in construction.formats {
            let entries = construction.entries(of: format)
            let texts = entries.map { $0.dataToSign(settings.ldpDataToSign) }
            switch format {
            case .ldp_vc:
                guard let text = texts.first, texts.count == 1 else {
                    throw InvalidData(
                        message: "There are several linked-data presentations: use constructUnsignedVPTokenV2",
                        className: Self.className
                    )
                }
                tokens[format] = UnsignedLdpVPToken(dataToSign: text)
            case .mso_mdoc:
                let pairs = zip(entries.map { $0.docType ?? "" }, texts)
                tokens[format] = UnsignedMdocVPToken(
                    docTypeToDeviceAuthenticationBytes: Dictionary(pairs.map { $0 }) { $1 }
                )
            case .vc_sd_jwt, .dc_sd_jwt:
                let pairs = zip(entries.map(\.id), texts)
                tokens[format] = UnsignedSdJwtVPToken(uuidToUnsignedKBT: Dictionary(pairs.map { $0 }) { $1 })
            }
        }
        return tokens
    }
}

extension CredentialQuery {
    /// The claims of the first claim set that a credential has, or of the query without sets.
    fileprivate func firstOption(in credential: some QueryableCredential) -> [ClaimPath] {
        guard !claimSets.isEmpty else { return claims.map(\.path) }
        for set in claimSets {
            let asked = claims.filter { claim in claim.id.map(set.contains) ?? false }
            if asked.count == set.count, asked.allSatisfy({ !credential.values(at: $0.path).isEmpty }) {
                return asked.map(\.path)
            }
        }
        return []
    }
}
