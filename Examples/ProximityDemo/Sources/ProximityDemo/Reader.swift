import Credentials
import Foundation

/// A reader that trusts the issuing authority of the demo.
struct Reader {
    let folder: SharedFolder

    /// Takes up an engagement, asks for three elements, and prints the outcome.
    func run(engagement: String) async throws {
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(try folder.issuingAuthority())])
        let reader = MobileCredentialVerifier(verifier: verifier, connector: SocketMdocConnector())
        let session = try await reader.createProximityPresentationSession(encodedDeviceEngagementString: engagement)
        let request = MobileCredentialRequest(
            docType: .mDL,
            namespaces: [.mDL: ["family_name": false, "age_over_18": false, "portrait": false]]
        )
        say("asks for \(request.namespaces.values.flatMap(\.keys).map(\.text).sorted().joined(separator: ", "))")
        let response = try await session.requestMobileCredentials(request: [request])
        await session.terminate()
        for presentation in response.credentials { report(presentation) }
        if response.verifiedCredentials.isEmpty { exit(1) }
    }

    private func report(_ presentation: MobileCredentialPresentation) {
        switch presentation {
        case .verified(let credential):
            say("VERIFIED \(credential.docType), trusted through \(credential.issuerInfo?.commonName ?? "?")")
            for (_, claims) in credential.claims {
                for (name, claim) in claims.sorted(by: { $0.key < $1.key }) { say("  \(name): \(claim.value)") }
            }
            let absent = credential.claimErrors.values.flatMap(\.keys).map(\.text).sorted()
            if !absent.isEmpty { say("the holder kept back \(absent.joined(separator: ", "))") }
        case .refused(let credential):
            say("REFUSED \(credential.docType): \(credential.reason.type), \(credential.reason.message)")
        }
    }

    private func say(_ text: String) {
        print("  reader   \(text)")
    }
}
