import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Key pairs of every length over safe primes that were generated once; the bases are fresh but always the same.
enum TestKeys {
    static func pair(_ parameters: IdemixSystemParameters) throws -> IdemixIssuerKeyPair {
        try #require(pairs[parameters]).get()
    }

    private static let pairs: [IdemixSystemParameters: Result<IdemixIssuerKeyPair, any Error>] = [
        .bits1024: Result { try make(primes1024) },
        .bits2048: Result { try make(primes2048) },
        .bits4096: Result { try make(primes4096) },
    ]

    private static func make(_ primes: (p: String, q: String)) throws -> IdemixIssuerKeyPair {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 5))
        return try IdemixIssuerKeyPair.make(
            p: BigInteger(bytes: #require([UInt8](hex: primes.p))),
            q: BigInteger(bytes: #require([UInt8](hex: primes.q))),
            counter: 1,
            expiryDate: Date(timeIntervalSince1970: 1_900_000_000),
            baseCount: 7,
            using: randomness
        )
    }

    private static let primes1024 = (
        p: """
        de7fb8bb74eb29117f8ecda5083bfbfe1bb5c49fc2f1eac44bede9a542d08afc276a40077d77072c91fdb87ef8cf0547 \
        6d3188ac75eb7a2f09060ce6ff14d62f
        """,
        q: """
        c3df168ea326d75d11450f468ff9fae487da31726c75f4f23d131556ab753f9ec715e2b1c50b20ce86c6ec7f85c68cd8 \
        65af960ff1430f82876d787b3a6ae7ab
        """
    )

    private static let primes2048 = (
        p: """
        e046ad26ef6723a0ce2b3aa4c12dd6d5bb1bd5d074a8548dacaa183d5ab9409f81281025de4492d1d52874e307408cc7 \
        f6ecee131dc389595817f66a9567df6d8a9291cefcc8e84e64430e60902e8d10adc105dab9f38ee506474b77dd23f812 \
        21207fd8a483d09f266b70245a551434dea79307d3e870df74ca13105aedadf7
        """,
        q: """
        f25a09380dda27cac1e470186c0d610a326c921acd5a75e08b6d07a6c479b2f516a90eb1376c02ac85f834f152b553b4 \
        db66c471a120f13c8d0cfa760a0ea8081c0fda3c526eab92de654c882228033875c4166c16004473c318c41a96042d38 \
        e52f52db7847d4985682125aa9c7ec6d62896359261874eee76c8b403ef48ceb
        """
    )

    private static let primes4096 = (
        p: """
        eaf6ab9f7ee1b73fdbdb154469254b9a4db90691d8c1b107c598671cb90d00f82e1f6d651da57c42999882c4d3ff66c9 \
        85f7fd5519cea933800d3d772adcecd7d375bc836f23aeb98fc2081b61a809b3cbc9994f41a9475f50f36657a2a07509 \
        8c2b520569957e9b02b55a6ec68dc6ef969e02d6132ccd8c88109bd013e0bbb2869c8f83780c924cdaf9b996c463689f \
        8ba5352b053f407b0ec7bb88eb305ff876ead194c15589af451c45ba5bc26f486495becb262f42d5f860ba0884f4de88 \
        6257e45266575b76142ef2cb773c592bd000e82905b3db2a4f0d76e757caaf48babe9ba85d9b8e3585ec585690254301 \
        16bea7979c4b47e427a676f6bf7f811f
        """,
        q: """
        cfd0fcf08b810ca6641731192e4677c181f7d25c8ab9c26939de52cd6c8ca50ecc7fadb1a84dd0ea99bb7fc015db2eb4 \
        55ed4748aac2133b15c165f1f00010699a17237563721824294ee99849a82f3194eb5b068cc5abf4eeb654bf09534535 \
        12d629df320d80650e255d50f58055f4753adc7cd6bafbf2b9fc63b3b1786c5678729be54f22da617e757bf64eb5cd05 \
        dd6e790353665618906c4e202df215bbe998276567c780b4ba4cf283f334042540e06d3de8cc8fcc83ba010598cc866f \
        70bcefbf60da96a581c3c8efb8044c4da378bfeb8a1f6d008dfafabbad45f6f957fcb3c340e0b0eb80e9c2f1fd57592a \
        526370e16fba3fcd77ae92b95452a1eb
        """
    )
}
