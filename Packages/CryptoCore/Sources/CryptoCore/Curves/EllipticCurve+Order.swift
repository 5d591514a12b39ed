extension EllipticCurve {
    /// The order of the group that a Weierstrass curve's base point generates, big-endian in ``coordinateSize`` bytes.
    ///
    /// Empty for the other curves: their keys are not scalars below an order.
    var order: [UInt8] { Self.orders[kind] ?? [] }

    private static let orders: [Kind: [UInt8]] = {
        var orders: [Kind: [UInt8]] = [:]
        for curve in all {
            let bytes = curve.orderWords.flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
            }
            orders[curve.kind] = bytes.suffix(curve.coordinateSize)
        }
        return orders
    }()

    /// The order in words, most significant first (FIPS 186-5, SEC 2, RFC 5639).
    private var orderWords: [UInt64] {
        switch kind {
        case .p256:
            [
                0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff, 0xbce6_faad_a717_9e84, 0xf3b9_cac2_fc63_2551,
            ]
        case .p384:
            [
                0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xc763_4d81_f437_2ddf,
                0x581a_0db2_48b0_a77a, 0xecec_196a_ccc5_2973,
            ]
        case .p521:
            [
                0x0000_0000_0000_01ff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
                0xffff_ffff_ffff_fffa, 0x5186_8783_bf2f_966b, 0x7fcc_0148_f709_a5d0, 0x3bb5_c9b8_899c_47ae,
                0xbb6f_b71e_9138_6409,
            ]
        case .brainpoolP256r1:
            [
                0xa9fb_57db_a1ee_a9bc, 0x3e66_0a90_9d83_8d71, 0x8c39_7aa3_b561_a6f7, 0x901e_0e82_9748_56a7,
            ]
        case .brainpoolP320r1:
            [
                0xd35e_4720_36bc_4fb7, 0xe13c_785e_d201_e065, 0xf98f_cfa5_b68f_12a3, 0x2d48_2ec7_ee86_58e9,
                0x8691_555b_44c5_9311,
            ]
        case .brainpoolP384r1:
            [
                0x8cb9_1e82_a338_6d28, 0x0f5d_6f7e_50e6_41df, 0x152f_7109_ed54_56b3, 0x1f16_6e6c_ac04_25a7,
                0xcf3a_b6af_6b7f_c310, 0x3b88_3202_e904_6565,
            ]
        case .brainpoolP512r1:
            [
                0xaadd_9db8_dbe9_c48b, 0x3fd4_e6ae_33c9_fc07, 0xcb30_8db3_b3c9_d20e, 0xd663_9cca_7033_0870,
                0x553e_5c41_4ca9_2619, 0x4186_6119_7fac_1047, 0x1db1_d381_085d_dadd, 0xb587_9682_9ca9_0069,
            ]
        case .secp256k1:
            [
                0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffe, 0xbaae_dce6_af48_a03b, 0xbfd2_5e8c_d036_4141,
            ]
        case .ed25519, .ed448, .x25519, .x448: []
        }
    }

    /// Returns `true` for big-endian bytes of a number above zero and below the order, in a time independent of the
    /// number.
    func isScalar(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let order = order
        guard bytes.count == order.count else { return false }
        var borrow: UInt16 = 0
        var combined: UInt8 = 0
        for index in order.indices.reversed() {
            let byte = unsafe bytes[index]
            borrow = (UInt16(byte) &- UInt16(order[index]) &- borrow) >> 15
            combined |= byte
        }
        return borrow == 1 && combined != 0
    }
}
