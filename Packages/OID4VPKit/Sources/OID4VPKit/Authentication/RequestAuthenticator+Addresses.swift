import CredentialTransport
import JSONKit
import OID4VPMessages

extension RequestAuthenticator {
    /// The mode and the address of the response, once the client is found entitled to it.
    ///
    /// - Parameter fault: Set for a link without a mode that is supported, whose target is that of an error response.
    func target(
        _ incoming: Incoming,
        _ client: KnownClient?,
        _ signer: RequestSigner?,
        _ parameters: AuthorizationParameters,
        _ version: OpenID4VPVersion,
        _ fault: inout OID4VPError?,
        _ checklist: inout Checklist
    ) -> ResponseTarget? {
        var deviations: [Deviation] = []
        let target = checklist.check(.responseAddress) { () throws(CheckFault) in
            let target = try CheckFault.converting { () throws(OID4VPError) in
                do throws(OID4VPError) {
                    return try ResponseTarget(
                        parameters,
                        version: version,
                        client: client?.identifier,
                        channel: incoming.channel,
                        options: options,
                        deviations: &deviations
                    )
                } catch {
                    guard incoming.channel == .redirects, error.isOfResponseMode,
                        let target = try? ResponseTarget(ofErrorsTo: parameters)
                    else { throw error }
                    fault = fault ?? error
                    return target
                }
            }
            if target.mode.isOfPlatformDrafts, !incoming.isDraftOfPlatform {
                try CheckFault.converting { () throws(OID4VPError) in
                    let place = ["response_mode"]
                    try options.tolerate(.draftPlatformProtocol, at: place, &deviations, .unsupportedResponseMode)
                }
            }
            if let endpoint = incoming.endpoint { try require(endpoint) }
            guard let address = target.address, let client else { return target }
            guard try isEntitled(client, signer, to: address, as: target.mode) else {
                throw .failed(.foreignResponseAddress, "the address is not one of the client's")
            }
            return target
        }
        for deviation in deviations { checklist.add(deviation) }
        return target
    }

    /// Refuses an endpoint that cannot be the audience of presentations.
    private func require(_ endpoint: InteractiveEndpoint) throws(CheckFault) {
        guard let url = try? HTTPURL(endpoint.url), url.scheme == .https else {
            throw .failed("invalidResponseAddress", "the endpoint of the authorization server is no https URL")
        }
    }

    private func isEntitled(
        _ client: KnownClient,
        _ signer: RequestSigner?,
        to address: String,
        as mode: ResponseMode
    ) throws(CheckFault) -> Bool {
        let identifier = client.identifier
        let isFree = policy.clientsWithFreeAddress.contains(identifier.text)
        switch identifier.rule {
        case .preRegistered: return client.registration?.responseAddresses.contains(ExactText(address)) == true
        case .redirectURI: return address.hasSameBytes(as: identifier.original)
        case .x509SANURI: return isFree || address.hasSameBytes(as: identifier.original)
        case .x509SANDNS:
            guard !isFree else { return true }
            guard let url = try? HTTPURL(address), url.scheme == .https, case .name(let host) = url.host else {
                return false
            }
            return identifier.isHost(host)
        case .verifierAttestation: return signer?.addresses?.contains(ExactText(address)) ?? true
        // The signature vouches for the address.
        case .decentralizedIdentifier, .x509Hash: return signer != nil
        case .federation: return signer?.federated?.isEntitled(to: address, as: mode) == true
        }
    }
}

extension OID4VPError {
    /// Indicates a mode that is missing, not supported, or has another kind of address than the one that is stated.
    fileprivate var isOfResponseMode: Bool {
        switch code {
        case .unsupportedResponseMode: true
        case .missingParameter, .invalidParameter: path == ["response_mode"]
        case .contradictoryParameters: path == ["response_uri"]
        default: false
        }
    }
}
