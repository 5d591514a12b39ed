/// The figures of the RFCs as inputs for damaged variants: every structure of this module, small.
enum OwnInputs {
    static let all: [(name: String, hex: String)] = [
        ("RFC 9052 B", RFC9052Figures.appendixB), ("RFC 9052 C.1.1", RFC9052Figures.c11),
        ("RFC 9052 C.1.2", RFC9052Figures.c12), ("RFC 9052 C.1.3", RFC9052Figures.c13),
        ("RFC 9052 C.2.1", RFC9052Figures.c21), ("RFC 9052 C.3.1", RFC9052Figures.c31),
        ("RFC 9052 C.3.2", RFC9052Figures.c32), ("RFC 9052 C.3.3", RFC9052Figures.c33),
        ("RFC 9052 C.4.1", RFC9052Figures.c41), ("RFC 9052 C.4.2", RFC9052Figures.c42),
        ("RFC 9052 C.5.1", RFC9052Figures.c51), ("RFC 9052 C.5.2", RFC9052Figures.c52),
        ("RFC 9052 C.5.3", RFC9052Figures.c53), ("RFC 9052 C.5.4", RFC9052Figures.c54),
        ("RFC 9052 C.6.1", RFC9052Figures.c61), ("RFC 9052 C.7.1", RFC9052Figures.publicKeys),
        ("RFC 9052 C.7.2", RFC9052Figures.privateKeys), ("RFC 9338 A.1.1", RFC9338Figures.a11),
        ("RFC 9338 A.2.1", RFC9338Figures.a21), ("RFC 9338 A.3.1", RFC9338Figures.a31),
        ("RFC 9338 A.4.1", RFC9338Figures.a41), ("RFC 9338 A.5.1", RFC9338Figures.a51),
        ("RFC 9338 A.6.1", RFC9338Figures.a61), ("RFC 8392 A.2.3", RFC8392Figures.ecdsaKey),
        ("RFC 8392 A.3", RFC8392Figures.a3), ("RFC 8392 A.4", RFC8392Figures.a4),
        ("RFC 8392 A.5", RFC8392Figures.a5), ("RFC 8392 A.6", RFC8392Figures.a6),
        ("RFC 8392 A.7", RFC8392Figures.a7),
    ]
}
