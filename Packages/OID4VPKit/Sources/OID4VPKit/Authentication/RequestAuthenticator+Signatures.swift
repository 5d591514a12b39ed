import JOSEKit
import JSONKit
import OID4VPMessages

extension RequestAuthenticator {
    /// Authenticates a request by its signatures, one after the other up to the first that is good, and answers as for that.
    func runEach(
        of members: JSONObject,
        _ incoming: Incoming,
        _ checklist: consuming Checklist
    ) async -> Verification<AuthenticatedRequest> {
        let read = checklist.check(.requestObject, at: ["request"]) { () throws(CheckFault) in
            try CheckFault.converting { () throws(JOSEError) in
                let limits = JOSELimits(
                    size: options.limits.documentSize,
                    depth: options.limits.depth,
                    signatures: Self.maximumSignatures
                )
                return try JWS(json: JSONValue.object(members).encoded(), limits: limits)
            }
        }
        guard let jws = read else { return checklist.verification(of: nil) }
        var verifications: [Verification<AuthenticatedRequest>] = []
        for index in jws.signatures.indices {
            var one = incoming
            one.form = .signature(jws, index)
            let verification = await run(one, deviations: [], at: checklist.time)
            verifications.append(verification)
            if verification.verified != nil { break }
        }
        guard let chosen = verifications.first(where: { $0.verified != nil }) ?? verifications.first else {
            return checklist.verification(of: nil)
        }
        // The checks that count are those of the chosen signature; each of them can only refuse.
        var conclusion = Checklist(Self.checks, at: checklist.time)
        for result in chosen.checks { conclusion.record(result.check, result.outcome, at: result.path) }
        for deviation in chosen.deviations { conclusion.add(deviation) }
        for (index, verification) in verifications.enumerated() {
            let name = "signatures[\(index)]"
            conclusion.add(verification, named: name, isMandatory: false)
            guard let refusal = verification.refusal, chosen.verified != nil else { continue }
            conclusion.add(Deviation("refusedSignature", at: ["request", name], refusal.description))
        }
        return conclusion.verification(of: chosen.verified)
    }

    /// Reads one of several signatures, whose protected header names its client (appendix A.3.2).
    func read(_ jws: JWS, _ index: Int) throws(CheckFault) -> ReceivedObject {
        try CheckFault.converting { () throws(JOSEError) in
            let signature = jws.signatures[index]
            if let fault = signature.fault { throw fault }
            let limits = JOSELimits(size: options.limits.documentSize, depth: options.limits.depth)
            var claims = try JWTClaims(decoding: jws.unverifiedPayload ?? [], limits: limits)
            let header = signature.protectedHeader
            for name in ["client_id", "verifier_info"] {
                guard !claims.contains(name) else {
                    throw JOSEError(.malformed, "it belongs to each signature's protected header", path: [name])
                }
                if let value = header[name] { claims[name] = value }
            }
            return ReceivedObject(jws: jws, header: header, claims: claims, index: index)
        }
    }
}
