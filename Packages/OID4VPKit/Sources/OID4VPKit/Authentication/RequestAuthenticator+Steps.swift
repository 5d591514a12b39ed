import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPMessages
import OpenIDFederation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request object, read and not verified.
struct ReceivedObject {
    let jws: JWS
    let header: JOSEHeader
    let claims: JWTClaims
    /// The place of the signature that counts.
    var index = 0
    /// The encrypted object that held the request object; nil for none.
    var encryption: DecryptedJWE?
}

extension RequestAuthenticator {
    func run(_ incoming: Incoming, deviations: [Deviation], at time: Date) async -> Verification<AuthenticatedRequest> {
        var checklist = Checklist(Self.checks, at: time)
        for deviation in deviations { checklist.add(deviation) }
        var incoming = incoming
        incoming.searches = incoming.searches ?? policy.federation?.newAllowance()
        if case .signatures(let members) = incoming.form { return await runEach(of: members, incoming, checklist) }
        let value = await authenticated(incoming, &checklist)
        return checklist.verification(of: value)
    }

    /// Makes the checks one after the other; nil as soon as one refuses.
    private func authenticated(_ incoming: Incoming, _ checklist: inout Checklist) async -> AuthenticatedRequest? {
        var client: KnownClient?
        let isDeferred = isClientDeferred(incoming)
        if let id = incoming.clientID, !isDeferred {
            client = known(id, incoming.scheme, &checklist)
            if client == nil { return nil }
        }
        let object = await object(of: incoming, client, &checklist)
        if checklist.isRefused { return nil }
        var fault: OID4VPError?
        guard let (parameters, version) = contents(of: incoming, object, &fault, &checklist) else { return nil }
        if let object {
            if incoming.channel != .redirects {
                let id = checklist.check(.clientMatch) { () throws(CheckFault) in
                    try CheckFault.converting { () throws(OID4VPError) in try parameters.requiredText("client_id") }
                }
                guard let id else { return nil }
                client = known(id, parameters.scheme(in: version), &checklist)
                if client == nil { return nil }
            } else if isDeferred, let id = incoming.clientID {
                client = known(id, parameters.scheme(in: version), &checklist)
                if client == nil { return nil }
            }
            check(type: object.header, version, &checklist)
        } else {
            checklist.record(.type, .notApplicable("the request is not signed"))
            if incoming.channel != .redirects {
                for check in [Check.clientIdentifier, .clientRegistration] {
                    checklist.record(check, .notApplicable("the origin stands for the client"))
                }
            }
        }
        match(client, with: incoming, parameters, version, isSigned: object != nil, &checklist)
        if checklist.isRefused { return nil }
        let signer = await signer(of: object, client, incoming.searches, &checklist)
        if checklist.isRefused { return nil }
        checkClaims(object, client, incoming, version, &checklist)
        checkSession(incoming, object, parameters, &checklist)
        if checklist.isRefused { return nil }
        guard let target = target(incoming, client, signer, parameters, version, &fault, &checklist) else { return nil }
        checkProfile(incoming, client, signer, target, version, &checklist)
        let endpoint = interactiveEndpoint(incoming, target)
        return AuthenticatedRequest(
            AuthenticatedRequest.Parts(
                client: client?.identifier,
                version: version,
                parameters: parameters,
                target: target,
                isSigned: object != nil,
                encryption: object?.encryption,
                certificateChain: signer?.chain,
                audience: incoming.audience(
                    for: client?.identifier,
                    endpoint: endpoint.map { (target.mode.interactivePrefix ?? "") + $0 }
                ),
                origin: incoming.origin,
                platformProtocol: incoming.protocolIdentifier,
                interactiveEndpoint: endpoint,
                walletNonce: incoming.sentNonce,
                metadataSource: metadataSource(of: client, signer),
                options: options,
                profile: policy.profile,
                fault: fault
            )
        )
    }

    private func metadataSource(
        of client: KnownClient?,
        _ signer: RequestSigner?
    ) -> PresentationRequest.MetadataSource {
        if let federated = signer?.federated { return .federation(federated.metadata) }
        guard let registration = client?.registration, !registration.takesMetadataOfRequests else { return .request }
        return .wallet(registration.metadata)
    }

    // MARK: Contents

    /// The parameters that count, and their version.
    ///
    /// - Parameter fault: Set for a link without a valid query, or with one request inside another, whose verifier is told once
    ///   it is authenticated.
    private func contents(
        of incoming: Incoming,
        _ object: ReceivedObject?,
        _ fault: inout OID4VPError?,
        _ checklist: inout Checklist
    ) -> (AuthorizationParameters, OpenID4VPVersion)? {
        var deviations: [Deviation] = []
        defer { for deviation in deviations { checklist.add(deviation) } }
        return checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(OID4VPError) in
                let parameters: AuthorizationParameters
                switch (object, incoming.form) {
                case (let object?, _):
                    parameters = try withoutNulls(
                        AuthorizationParameters(object.claims.members, limits: options.limits),
                        &deviations
                    )
                case (nil, .parameters(let received)): parameters = try withoutNulls(received, &deviations)
                default: throw OID4VPError(.malformed, "there are no parameters")
                }
                do throws(OID4VPError) {
                    if object != nil { try requireNoRequest(inside: parameters, &deviations) }
                    return (parameters, try version(of: parameters, incoming))
                } catch {
                    guard incoming.channel == .redirects else { throw error }
                    fault = error
                    return (parameters, OpenID4VPVersion(likelyOf: parameters))
                }
            }
        }
    }

    /// Refuses a request object that holds another one, or its address (RFC 9101, section 4).
    private func requireNoRequest(
        inside parameters: AuthorizationParameters,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) {
        for name in ["request", "request_uri"] where parameters.contains(name) {
            try options.tolerate(.requestInsideObject, at: [name], &deviations, .contradictoryParameters)
        }
    }

    /// The parameters without those that are null, if that is tolerated.
    private func withoutNulls(
        _ parameters: AuthorizationParameters,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> AuthorizationParameters {
        guard options.tolerances.contains(.nullParameters) else { return parameters }
        var members = parameters.members
        for (name, value) in parameters.members where value == .null {
            members[name] = nil
            try options.tolerate(.nullParameters, at: [name], &deviations)
        }
        return AuthorizationParameters(members, limits: options.limits)
    }

    /// The version of a request.
    ///
    /// The protocols of 1.0 have no other query than DCQL, and further parameters are ignored (appendix A.2). Draft 25 has
    /// these protocols with definitions, too.
    private func version(
        of parameters: AuthorizationParameters,
        _ incoming: Incoming
    ) throws(OID4VPError) -> OpenID4VPVersion {
        if let name = incoming.protocolIdentifier, PlatformRequest.protocolsOfV1.contains(name),
            parameters.contains("dcql_query")
        {
            return .v1
        }
        return try OpenID4VPVersion(of: parameters)
    }

    private func check(type header: JOSEHeader, _ version: OpenID4VPVersion, _ checklist: inout Checklist) {
        var isTolerated = false
        checklist.check(.type) { () throws(CheckFault) in
            let type = try CheckFault.converting { () throws(JOSEError) in try header.type() }?.lowercased()
            let name = type.map { $0.hasPrefix("application/") ? String($0.dropFirst("application/".count)) : $0 }
            if name == "oauth-authz-req+jwt" { return }
            // Drafts before 24 do not demand the type.
            guard version != .v1 || options.tolerances.contains(.missingObjectType), name == nil || name == "jwt" else {
                throw .failed(.unexpectedType, "the type is not oauth-authz-req+jwt", path: ["typ"])
            }
            isTolerated = version == .v1
        }
        if isTolerated { checklist.add(Deviation(RequestTolerance.missingObjectType.description, at: ["typ"])) }
    }

    private func match(
        _ client: KnownClient?,
        with incoming: Incoming,
        _ parameters: AuthorizationParameters,
        _ version: OpenID4VPVersion,
        isSigned: Bool,
        _ checklist: inout Checklist
    ) {
        var deviations: [Deviation] = []
        checklist.check(.clientMatch) { () throws(CheckFault) in
            guard let client else { throw .notApplicable("the origin stands for the client") }
            try CheckFault.converting { () throws(OID4VPError) in
                if isSigned, let outer = incoming.clientID {
                    let inner = try parameters.requiredText("client_id")
                    guard inner.hasSameBytes(as: outer) else {
                        throw OID4VPError(.contradictoryParameters, "it is not that of the URL", path: ["client_id"])
                    }
                    let scheme = try parameters.text("client_id_scheme")
                    if scheme != nil, isClientDeferred(incoming) {
                        try options.tolerate(.schemeInObject, at: ["client_id_scheme"], &deviations)
                    } else if scheme.map(ExactText.init) != incoming.scheme.map(ExactText.init) {
                        throw OID4VPError(
                            .contradictoryParameters,
                            "it is not that of the URL",
                            path: ["client_id_scheme"]
                        )
                    }
                }
                if client.identifier.rule == .federation, parameters.contains("sub") {
                    // OpenID Federation 1.0, section 12.1.1.1.
                    throw OID4VPError(.contradictoryParameters, "an entity's request has no subject", path: ["sub"])
                }
                guard version == .v1 else { return }
                let place = ["client_id"]
                switch client.identifier.rule {
                case .x509SANURI:
                    try options.tolerate(.removedPrefix, at: place, &deviations, .unsupportedClientIdentifier)
                case .decentralizedIdentifier where client.identifier.prefix == "did":
                    try options.tolerate(.bareDID, at: place, &deviations, .unsupportedClientIdentifier)
                case .federation where client.identifier.prefix == "https":
                    try options.tolerate(.bareEntity, at: place, &deviations, .unsupportedClientIdentifier)
                default: return
                }
            }
        }
        for deviation in deviations { checklist.add(deviation) }
    }

    // MARK: Claims

    private func checkClaims(
        _ object: ReceivedObject?,
        _ client: KnownClient?,
        _ incoming: Incoming,
        _ version: OpenID4VPVersion,
        _ checklist: inout Checklist
    ) {
        guard let object else {
            for check in ClaimsRules.checks { checklist.record(check, .notApplicable("the request is not signed")) }
            return
        }
        let (rule, tolerance) = audienceRule(object, incoming, version)
        if let tolerance { checklist.add(Deviation(tolerance.description, at: ["aud"])) }
        // `iss` is ignored in OpenID4VP, and the client is compared by `client_id`.
        ClaimsRules(
            audience: rule,
            requiresExpirationTime: client?.identifier.rule == .federation,
            clockSkew: policy.clockSkew
        ).check(
            RegisteredJWTClaims(object.claims),
            in: &checklist
        )
    }

    /// The rule for the audience of a request object (section 5.8), and the tolerance that it takes.
    private func audienceRule(
        _ object: ReceivedObject,
        _ incoming: Incoming,
        _ version: OpenID4VPVersion
    ) -> (AudienceRule, RequestTolerance?) {
        guard object.claims.contains("aud") else {
            // The examples of the Digital Credentials API (appendix A.3.2) have none, and the origin binds such a request.
            if version != .v1 || incoming.channel == .digitalCredentials {
                return (.namedIfPresent(policy.audience), nil)
            }
            let isTolerated = options.tolerances.contains(.missingAudience)
            return isTolerated
                ? (.namedIfPresent(policy.audience), .missingAudience) : (.named(policy.audience), nil)
        }
        let names = ((try? object.claims.audience()) ?? []).map { ExactText($0) }
        for own in [policy.audience, RequestAuthenticationPolicy.selfIssued] where names.contains(own) {
            return (.named(own), nil)
        }
        if case .reference(let reference) = incoming.form, options.tolerances.contains(.requestURIAsAudience) {
            let address = ExactText(reference.url.description)
            if names.contains(address) { return (.named(address), .requestURIAsAudience) }
        }
        return options.tolerances.contains(.otherAudience)
            ? (.any, .otherAudience) : (.named(policy.audience), nil)
    }

    private func checkSession(
        _ incoming: Incoming,
        _ object: ReceivedObject?,
        _ parameters: AuthorizationParameters,
        _ checklist: inout Checklist
    ) {
        checklist.check(.walletNonce) { () throws(CheckFault) in
            guard let sent = incoming.sentNonce else { throw .notApplicable("the wallet sent no value") }
            guard parameters.members["wallet_nonce"]?.stringValue?.hasSameBytes(as: sent) == true else {
                throw .failed(.claimMismatch, "the request does not repeat the wallet's value", path: ["wallet_nonce"])
            }
        }
        checklist.check(.expectedOrigins) { () throws(CheckFault) in
            guard let caller = incoming.caller else { throw .notApplicable("the request did not come from a page") }
            guard object != nil else { throw .notApplicable("the request is not signed") }
            let origins = parameters.members["expected_origins"]?.arrayValue?.map(\.stringValue) ?? []
            // An authorization server has one endpoint.
            let isPermitted = incoming.channel != .interactive || origins.count == 1
            guard isPermitted, origins.contains(where: { $0?.hasSameBytes(as: caller) == true }) else {
                throw .failed(.claimMismatch, "the request is not for this origin", path: ["expected_origins"])
            }
        }
    }

    private func checkProfile(
        _ incoming: Incoming,
        _ client: KnownClient?,
        _ signer: RequestSigner?,
        _ target: ResponseTarget,
        _ version: OpenID4VPVersion,
        _ checklist: inout Checklist
    ) {
        let deviations = checklist.check(.profile) { () throws(CheckFault) in
            guard let profile = policy.profile else { throw .notApplicable("the wallet has no profile") }
            let traits = RequestTraits(
                version: version,
                clientRule: client?.identifier.rule,
                channel: incoming.channel,
                responseMode: target.mode,
                isByReference: incoming.isByReference,
                algorithm: signer?.algorithm,
                certificates: signer?.certificates ?? [],
                anchor: signer?.chain?.anchor,
                walletAlgorithms: policy.algorithms
            )
            return try CheckFault.converting { () throws(OID4VPError) in try profile.check(traits) }
        }
        for deviation in deviations ?? [] { checklist.add(deviation) }
    }

    /// The endpoint that presentations are for, where it is the audience.
    private func interactiveEndpoint(_ incoming: Incoming, _ target: ResponseTarget) -> String? {
        guard target.mode.interactivePrefix != nil, let endpoint = incoming.endpoint else { return nil }
        return target.address == nil || endpoint.prevailsOverResponseURI ? endpoint.url : nil
    }
}
