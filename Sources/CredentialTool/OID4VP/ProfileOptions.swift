import ArgumentParser
import OID4VPMessages

/// A profile on the command line, by its name.
enum ProfileName: String, ExpressibleByArgument, CaseIterable {
    case haip
    case iso18013_7 = "iso18013-7"

    var profile: PresentationProfile {
        switch self {
        case .haip: .haip
        case .iso18013_7: .iso18013_7
        }
    }
}

/// The profile that requests and presentations must keep to.
struct ProfileOptions: ParsableArguments {
    @Option(name: .long, help: "The profile to keep to.")
    var profile: ProfileName?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A rule of the profile whose breach is shown and not refused; may be repeated.",
            valueName: "rule"
        )
    )
    var tolerateRule: [ProfileRuleName] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A further algorithm for requests that the ecosystem of the profile takes; may be repeated.",
            valueName: "algorithm"
        )
    )
    var profileAlgorithm: [SignatureAlgorithmName] = []

    func validate() throws {
        guard profile != nil || tolerateRule.isEmpty else {
            throw ValidationError("--tolerate-rule belongs to --profile")
        }
        guard profile != nil || profileAlgorithm.isEmpty else {
            throw ValidationError("--profile-algorithm belongs to --profile")
        }
    }

    /// The profile with its tolerances; nil for none.
    var presentationProfile: PresentationProfile? {
        profile?.profile.tolerating(Set(tolerateRule.map(\.rule)))
            .accepting(requestAlgorithms: Set(profileAlgorithm.map(\.algorithm)))
    }
}

/// A rule of a profile on the command line, by its name.
struct ProfileRuleName: ExpressibleByArgument, Sendable {
    let rule: ProfileRule

    init?(argument: String) {
        guard let rule = Self.rules.first(where: { $0.description == argument }) else { return nil }
        self.rule = rule
    }

    private static let rules: [ProfileRule] = [
        .version, .clientIdentifier, .signedRequest, .requestURI, .requestAlgorithm, .supportedAlgorithms,
        .certificateChain, .responseMode, .encryption, .offeredEncryptions, .ephemeralKey, .redirect, .query, .format,
        .limitDisclosure, .intentToRetain, .elementPath, .keyBinding, .issuerCertificates, .statusList,
        .singleDocument, .deviceSignature,
    ]

    static let allValueStrings = rules.map(\.description)
}
