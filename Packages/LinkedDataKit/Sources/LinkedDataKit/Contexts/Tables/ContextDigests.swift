import VerificationCore

extension BuiltInContext {
    /// The digests of the published files whose terms the tables of this module have, by URL.
    ///
    /// The files of DIDs and of Status List 2021 are missing: a digest of theirs cannot be compared, and is refused.
    static let publishedDigests: [ExactText: ResourceDigests] = [
        "https://www.w3.org/2018/credentials/v1": ResourceDigests(
            sha256: "q03dmlMXWIB6eaW0UFENYa6NFH6rlmzJogDAcJWwzcw=",
            sha384: "gsOz6rhjdUu/0rnxfY1tufYRafMBy/CwXh/EvrX1xR3U0uiIwnT0nD+7JAj2H67R",
            sha512: "U2pAs5DdqUqeORlsAAkPYmaOgYT+PIwCxKIshWZuaL9uhdPcfy26hbK2Lvldl94k"
                + "EyVo2FBNtD8snILS6IQY0g=="
        ),
        "https://www.w3.org/ns/credentials/v2": ResourceDigests(
            sha256: "WZVc7WaX1h4D8rJVb+vlMIqxaEKEb1tYbX8fet7JJzQ=",
            sha384: "l/HrjlBCNWyAX91hr6LFV2Y3heB5Tcr6IeE4/Tje8YyzYBM8IhqjHWiWpr8+ZbYU",
            sha512: "XVVFK9Lc+KKfWikEc+skKxxft31OaPGgqoe6pNuiaUhS1l7GPUisBKmdlW+fcVO5"
                + "QG+E0tBMdIabAsI5odgTBQ=="
        ),
        "https://www.w3.org/ns/credentials/status/v1": ResourceDigests(
            sha256: "/aWt01MjHmpohKRrEubHVGQoGQDLNIKE2cNg9iOB2fc=",
            sha384: "rA74E4M+vWZrYXCmHFrazG19L1oEDRbCko6EFNT6B/ZNcDEwIeAr9Pl73RI+2ahO",
            sha512: "/yynZnuZA3O0axJTXmuN6OricBQyeHFa2TWxWSFlIeUUyxzNhRdBCiQpUn4k2PyW"
                + "+I+Lc0iHomAubuB7g7Zv7Q=="
        ),
        "https://w3id.org/security/data-integrity/v1": ResourceDigests(
            sha256: "tdgpvQmqfEKrxu+gyO12NTE7VIfzfM/OPs0UnKlBhVQ=",
            sha384: "H3tRFUwstZa4BNPu3qu3Z4x+pNNvUgFJamgdvYaNXcDLkKiDn1FCzNyR/bksWtzy",
            sha512: "xJlRvZ8+j00jH85eRXmKLTL7fvSk8aLo0vPatdEDM6FCEzmXTudxWe2uJZ/Pc8fP"
                + "E28eMATe1a8lrDiYPS6Oyg=="
        ),
        "https://w3id.org/security/data-integrity/v2": ResourceDigests(
            sha256: "Z/IebjOmwU5cz9L8eGX3R0+3GgSvfpQTbLOZ36yK6PQ=",
            sha384: "DuLXYmcX+LB81Em1JdXitx/icgn8meUwieAWndKUTXk/7qRSb8YLucyhzZZRI5H2",
            sha512: "Oc16mkBHt0uFJGQP41Yz6B6ChtFL27fnfQ4I2FCwDWo1sBhdXeNcR5uu2yOheYnZ"
                + "9iislVMf3XnAxaD2Mtn6lQ=="
        ),
        "https://w3id.org/security/multikey/v1": ResourceDigests(
            sha256: "uiwYLeLZL35HGEvMqPzwvq7m05hsUnv2ZMGVu8fFhZc=",
            sha384: "D6UWQdEvuMcBsuapSSVW8l0yu0r4SpbxGAjwpiO5ckNN0YqPHxhlvGjY7gRsTlo+",
            sha512: "En0TOOp/cC10XtW/aQDtqKrEQZ2lRjGB/KAsJ+BQhRBufT7s6eoOFWvP9cP5nurT"
                + "l3hcRTvFeffdVJapkeELXw=="
        ),
        "https://w3id.org/security/jwk/v1": ResourceDigests(
            sha256: "DxS2L2Bxqv4A3yZXcOoMdQjhGCR9ebfYYaQG0qoAvs4=",
            sha384: "di3FXOefNh47vrfTyw3bPkS44ohSYfgoMYOVnRqqM5BK9qgAUFntlkFQDqt9jdrl",
            sha512: "Dvv/hFI9cgovMx/sT77clp7i51dkwO0yXHLLVrxTnTqcZCAjyVhzWv1TV1VKsffh"
                + "MRHw3Phh9ZsrwEUSbNhSEQ=="
        ),
        "https://w3id.org/security/suites/ed25519-2018/v1": ResourceDigests(
            sha256: "Fmxqu54IF2zuX2yHycG7/vpXF9o5G8rFJeVDf5PquAk=",
            sha384: "JTTwefvsWe2qZ0z9MJTQlSlypIzD6Pvi+E6yRDHDr7W7Qfo4XxhPLJ3oMTR6y3wM",
            sha512: "8/ia6k5Eu666Lm1BgdwPr8ydxLYiOaiKjC/4CBRg0uNMVzD+POIyeQCb9m4N14sr"
                + "fLjfGOxvTaO3Kv7DLZrnxQ=="
        ),
        "https://w3id.org/security/suites/ed25519-2020/v1": ResourceDigests(
            sha256: "ueGrlx/Yvyx1U+DEqUOOC5RQr94eocpbJJI2i59UlYg=",
            sha384: "CYsY9HK4Qs+nUgNk1AYqo8l4lsF6alrnLmv7UJZB5k7tlhVrNfd3EoPf06U8zXnR",
            sha512: "eWrn4mTWAEGf82G8Y9b8tPqdc1X1GqpfFd89yV4kGQDWFeqZVU9LhJgCzIKgFs4C"
                + "lGUdrfCatReUmbR1wiHCig=="
        ),
        "https://w3id.org/security/suites/jws-2020/v1": ResourceDigests(
            sha256: "1kjgXdxld4J8or/V6TH1Pp68blKleo2oHfTsjEb/zR4=",
            sha384: "aKzpbl5oj07QdMz03NKVLhKuZTUQBH/AsGdwdgD6bgYbHvPs8VlG1FKtTJ/SRhc7",
            sha512: "c4CQobTeHYEjgZ8FajA3jcFGIgKlMKz91Nrx1DElR7WPwrY4nXNZi4VpodJJ15bm"
                + "MP5xoqpxNbtJ2fnURCRDBQ=="
        ),
        "https://w3id.org/security/v1": ResourceDigests(
            sha256: "q6+X4QfRklUDxDPcrz/9KDFpfKzB7SopPhvIAw1by0c=",
            sha384: "VgCmSRydJZ6z+mBaRx0Jb1H4gh8CXjrEBodDo9Adx7aHh3GGIMbPrKCj6cYU1tJC",
            sha512: "vN+OZaSagteOiXBXm7TICLJnYCqvRWEZfJFO+HU4/wYdreINtyZE32b0NVALCx4e"
                + "VJ5olxKQ8UK/1/XfkOE8vA=="
        ),
        "https://w3id.org/security/v2": ResourceDigests(
            sha256: "YRvYEVHV7+U+ya7Xj1qBPldyh7yUUe4m1oebG4tGvDs=",
            sha384: "A4m81fPMqat1qu1tJACJdZ8Mzx843lgjQhGW6co4Yz27sLOUNWp5MGDcR92EeiUp",
            sha512: "yf7x5RVnPzQVmlrRzOtNhD6bENMWskzFRARvH9uogNqDp+g+THZn65+NCQ6nz6cz"
                + "1eVKSFkyIVTiFjl03sIRqw=="
        ),
    ]
}
