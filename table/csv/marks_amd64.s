//go:build !purego

#include "textflag.h"

// MARK makes one word of 64 bits of the bytes in Y0 and Y1 that equal those of Y, and writes it to out.
#define MARK(Y, OUT) \
	VPCMPEQB  Y0, Y, Y8   \
	VPCMPEQB  Y1, Y, Y9   \
	VPMOVMSKB Y8, AX      \
	VPMOVMSKB Y9, BX      \
	SHLQ      $32, BX     \
	ORQ       BX, AX      \
	MOVQ      AX, OUT(DI)

// func markAVX2(text *byte, words int, comma byte, out *marks)
TEXT ·markAVX2(SB), NOSPLIT, $0-32
	MOVQ         text+0(FP), SI
	MOVQ         words+8(FP), CX
	MOVQ         out+24(FP), DI
	VPBROADCASTB comma+16(FP), Y2
	MOVQ         $'"', AX
	VMOVQ        AX, X3
	VPBROADCASTB X3, Y3
	MOVQ         $'\n', AX
	VMOVQ        AX, X4
	VPBROADCASTB X4, Y4
	MOVQ         $'\r', AX
	VMOVQ        AX, X5
	VPBROADCASTB X5, Y5
	MOVQ         $'!', AX
	VMOVQ        AX, X6
	VPBROADCASTB X6, Y6
	VPCMPEQB     X7, X7, X7
	TESTQ        CX, CX
	JZ           done

loop:
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	MARK(Y2, 0)
	MARK(Y3, 8)
	VMOVQ      AX, X8
	VPCLMULQDQ $0, X7, X8, X8 // times all ones, without carries: each bit is the sum of those up to it
	VMOVQ      X8, 40(DI)
	MARK(Y4, 16)
	MARK(Y5, 24)
	VPCMPGTB  Y0, Y6, Y8 // '!' > byte, both signed: spaces, control characters and what is beyond ASCII
	VPCMPGTB  Y1, Y6, Y9
	VPMOVMSKB Y8, AX
	VPMOVMSKB Y9, BX
	SHLQ      $32, BX
	ORQ       BX, AX
	MOVQ      AX, 32(DI)
	ADDQ      $64, SI
	ADDQ      $48, DI
	DECQ      CX
	JNZ       loop

done:
	VZEROUPPER
	RET
