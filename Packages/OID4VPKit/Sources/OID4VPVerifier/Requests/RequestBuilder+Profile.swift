import CryptoCore
import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

/// The demands of the party's profile, on a request as a wallet of the profile reads it.
extension RequestBuilder {
    /// The deviations of a new request that the profile tolerates.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for the first one that it does not.
    func profileDeviations(
        _ parameters: JSONObject,
        _ content: RequestContent
    ) throws(OID4VPVerifierError) -> [Deviation] {
        guard let profile = party.profile else { return [] }
        do throws(OID4VPError) {
            // The way of delivery is not known yet.
            return try profile.check(traits(content.version, content.mode, isByReference: true))
                + profile.check(content.request(parameters))
        } catch {
            throw Self.violation(error)
        }
    }

    /// Refuses a delivery by value, where the profile demands a reference.
    func checkDeliveryByValue(_ request: CreatedRequest) throws(OID4VPVerifierError) {
        guard let profile = party.profile else { return }
        do throws(OID4VPError) {
            let expectation = request.expectation
            _ = try profile.check(traits(expectation.version, expectation.mode, isByReference: false))
        } catch {
            throw Self.violation(error)
        }
    }

    private static func violation(_ error: OID4VPError) -> OID4VPVerifierError {
        OID4VPVerifierError(
            .invalidRequest,
            "the request breaks the profile",
            path: error.path,
            cause: error.withoutPlace
        )
    }

    private func traits(_ version: OpenID4VPVersion, _ mode: ResponseMode, isByReference: Bool) -> RequestTraits {
        let isPlatform = mode.address == .platform
        let (signer, certificates) = (party.client.signer, party.client.certificates)
        return RequestTraits(
            version: version,
            clientRule: isPlatform && signer == nil ? nil : party.client.rule,
            channel: isPlatform ? .digitalCredentials : .redirects,
            responseMode: mode,
            isByReference: isByReference,
            algorithm: signer.flatMap { JWSAlgorithm($0.algorithm, for: $0.publicKey) },
            certificates: certificates,
            // A self-signed certificate behind the signer's is the anchor.
            anchor: certificates.dropFirst().first { $0.isSelfIssued },
            usesFixedKey: mode.isJWT && party.encryption.isFixed
        )
    }
}

extension RequestContent {
    /// The request as a wallet reads it that supports the transactions in it.
    fileprivate func request(_ parameters: JSONObject) throws(OID4VPError) -> PresentationRequest {
        let scheme = parameters["client_id_scheme"]?.stringValue
        let client = try parameters["client_id"]?.stringValue.map { id throws(OID4VPError) in
            try ClientIdentifier(id, scheme: scheme)
        }
        let read = AuthorizationParameters(parameters)
        let types = transactionData.map { entry in
            (ExactText(entry["type"]?.stringValue ?? ""), Set(entry.names.map { ExactText($0) }))
        }
        return try PresentationRequest(
            read,
            version: version,
            target: ResponseTarget(
                read,
                version: version,
                client: client,
                channel: mode.address == .platform ? .digitalCredentials : .redirects
            ),
            support: PresentationRequest.Support(
                transactionData: TransactionDataTypes(Dictionary(types) { $0.union($1) })
            )
        )
    }
}
